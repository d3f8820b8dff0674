// What `ggp report` says of a game, as figures.
import type { ReportFacts } from "./connection";

const percent = (share: number | null) => (share === null ? "—" : `${Math.round(100 * share)} %`);

export function ReportView({ facts, roles }: { facts: ReportFacts; roles: string[] }) {
  const figures: [string, string][] = [
    [facts.mean_length.toFixed(1), "transitions, mean"],
    [facts.branching.toFixed(1), "choices, mean"],
    [percent(facts.first_player.auto ?? facts.first_player.random), `${facts.first_player.role} wins, ${facts.first_player.auto === null ? "at random" : "by auto"}`],
    [percent(facts.draws.auto ?? facts.draws.random), "draws"],
    [percent(facts.chance_share), "of the transitions are chance's"],
    [percent(facts.skill.double_time), "won with twice the time"],
    [percent(facts.skill.auto_random), "won by auto against random"],
    [facts.lead_changes === null ? "—" : facts.lead_changes.toFixed(1), "changes of lead"],
  ];
  if (facts.value) figures.push([facts.value.map((value) => value.toFixed(3).replace(/\.?0+$/, "")).join(", "), `exact value for ${roles.join(", ")}`]);
  return (
    <>
      <dl class="figures">{figures.map(([value, label]) => <div key={label}><dt>{label}</dt><dd>{value}</dd></div>)}</dl>
      {facts.unused.length > 0 && <p>Never used: {facts.unused.join(", ")}</p>}
      <p class="soft note">{facts.games.toLocaleString("en")} random games{facts.auto_games > 0 && `, ${facts.auto_games} by auto: its shares are rough`}.</p>
    </>
  );
}
