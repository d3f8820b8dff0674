// Publishing a game on a manager: checked, then private, then open to everybody.
import { useEffect, useState } from "preact/hooks";
import type { Finding } from "./connection";
import { competitionPage } from "./lists";
import { part, token } from "./manager";

interface Private {
  competition: string;
  name: string;
  invitation: string;
  key: string;
}

async function told<T>(address: string, body?: object): Promise<T> {
  const headers: Record<string, string> = { "content-type": "application/json", ...(token() ? { authorization: `Bearer ${token()}` } : {}) };
  const answer = await fetch(address, body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers });
  const found = (await answer.json()) as T & { error?: string; findings?: Finding[] };
  if (!answer.ok) throw new Error([found.error ?? answer.statusText, ...(found.findings ?? []).map((one) => `line ${one.line ?? "?"}: ${one.message}`)].join("; "));
  return found;
}

/** Where the page is one of a manager that lets whoever looks publish. */
export function Publish({ text, ready }: { text: string; ready: boolean }) {
  const [may, setMay] = useState(false);
  const [busy, setBusy] = useState("");
  const [problem, setProblem] = useState("");
  const [made, setMade] = useState<Private | null>(null);
  const [open, setOpen] = useState<{ competition: string; name: string } | null>(null);
  useEffect(() => { void fetch("/published", { headers: token() ? { authorization: `Bearer ${token()}` } : {} }).then(async (answer) => { if (answer.ok && answer.headers.get("content-type")?.includes("json")) setMay(((await answer.json()) as { may_publish: boolean }).may_publish); }, () => undefined); }, []);
  if (!may) return null;
  const step = async (doing: string, work: () => Promise<void>) => {
    setBusy(doing);
    setProblem("");
    await work().catch((error: Error) => setProblem(error.message));
    setBusy("");
  };
  const publish = () => step("Checking: the rules are compiled and played at random …", async () => { setMade(await told<Private>("/published", { rules: text })); setOpen(null); });
  const openIt = () => step("Opening …", async () => setOpen(await told(`/published/${part(made!.competition)}/open`, { key: made!.key })));
  return (
    <section class="card" aria-label="Publish">
      <h2>Publish</h2>
      {!made && <p class="soft">The rules are checked. Then the game has a page, a ladder and bots of its own, which only those see whom you give the link, until you open it to everybody.</p>}
      {made && !open && (
        <div role="status">
          <p><b>Checked, and private.</b> <a href={competitionPage(made.competition)}>Its page</a> is for those to whom you give the link; <a href={`/sit?competition=${part(made.name)}&invitation=${part(made.invitation)}`}>sit down</a> against its bots.</p>
        </div>
      )}
      {open && <p role="status"><b>Open to everybody:</b> <a href={competitionPage(open.competition)}>{open.name}</a></p>}
      {busy && <p class="soft" role="status">{busy}</p>}
      {problem && <p class="problem" role="alert">{problem}</p>}
      <div class="buttons">
        {(!made || open) && <button class="main" disabled={!ready || busy !== ""} onClick={() => void publish()}>Publish</button>}
        {made && !open && <button class="main" disabled={busy !== ""} onClick={() => void openIt()}>Open it to everybody</button>}
      </div>
    </section>
  );
}
