// Publishing a game on a manager: checked, then private, then open to everybody.
import { useEffect, useState } from "preact/hooks";
import { urlOf } from "./base";
import type { Finding } from "./connection";
import { competitionPage } from "./lists";
import { part, token } from "./manager";

interface Private {
  competition: string;
  name: string;
  /** For its author, and for friends: each lets one person sit down. */
  invitations: string[];
  key: string;
  /** The rules as they were published. */
  text: string;
}

/** Where a window keeps what it published: its author leaves the page to try it, and comes back to open it. */
const KEPT = "ggp published";

const seat = (made: Private, number: number) => `/sit?competition=${part(made.name)}&invitation=${part(made.invitations[number]!)}`;

async function told<T>(address: string, body?: object): Promise<T> {
  const headers: Record<string, string> = { "content-type": "application/json", ...(token() ? { authorization: `Bearer ${token()}` } : {}) };
  const answer = await fetch(urlOf(address), body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers });
  const found = (await answer.json()) as T & { error?: string; findings?: Finding[] };
  if (!answer.ok) throw new Error([found.error ?? answer.statusText, ...(found.findings ?? []).map((one) => `line ${one.line ?? "?"}: ${one.message}`)].join("; "));
  return found;
}

/** Where the page is one of a manager that lets whoever looks publish. */
export function Publish({ text, ready }: { text: string; ready: boolean }) {
  const [may, setMay] = useState(false);
  const [busy, setBusy] = useState("");
  const [problem, setProblem] = useState("");
  const [made, setMade] = useState<Private | null>(() => JSON.parse(sessionStorage.getItem(KEPT) ?? "null") as Private | null);
  const [open, setOpen] = useState<{ competition: string; name: string } | null>(null);
  useEffect(() => { void fetch(urlOf("/published"), { headers: token() ? { authorization: `Bearer ${token()}` } : {} }).then(async (answer) => { if (answer.ok && answer.headers.get("content-type")?.includes("json")) setMay(((await answer.json()) as { may_publish: boolean }).may_publish); }, () => undefined); }, []);
  if (!may) return null;
  const step = async (doing: string, work: () => Promise<void>) => {
    setBusy(doing);
    setProblem("");
    await work().catch((error: Error) => setProblem(error.message));
    setBusy("");
  };
  const publish = () => step("Checking: the rules are compiled and played at random …", async () => { 
    const answer = { ...await told<Private>("/published", { rules: text }), text };
    setMade(answer);
    setOpen(null);
    sessionStorage.setItem(KEPT, JSON.stringify(answer));
  });
  const openIt = () => step("Opening …", async () => {
    setOpen(await told(`/published/${part(made!.competition)}/open`, { key: made!.key }));
    sessionStorage.removeItem(KEPT);
  });
  return (
    <section class="card" aria-label="Publish">
      <h2>Publish</h2>
      {!made && <p class="soft">The rules are checked. Then the game has a page, a ladder and bots of its own, which only those see whom you give the link, until you open it to everybody.</p>}
      {made && !open && (
        <div role="status">
          <p><b>Checked, and private{made.text === text ? "" : ", as the rules were before you changed them"}.</b> <a href={competitionPage(made.competition)}>Its page</a> is for those to whom you give the link; <a href={seat(made, 0)}>sit down</a> against its bots. Seats for friends, a link each: {made.invitations.slice(1).map((_, friend) => <><a href={seat(made, friend + 1)}>{friend + 1}</a> </>)}</p>
        </div>
      )}
      {open && <p role="status"><b>Open to everybody:</b> <a href={competitionPage(open.competition)}>{open.name}</a></p>}
      {busy && <p class="soft" role="status">{busy}</p>}
      {problem && <p class="problem" role="alert">{problem}</p>}
      <div class="buttons">
        {(!made || open || made.text !== text) && <button class="main" disabled={!ready || busy !== ""} onClick={() => void publish()}>Publish</button>}
        {made && !open && <button class="main" disabled={busy !== ""} onClick={() => void openIt()}>Open it to everybody</button>}
      </div>
    </section>
  );
}
