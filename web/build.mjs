// Builds the pages into server/web/built: a script, a style sheet, the shell and the icon.
import { build } from "esbuild";
import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, "..", "server", "web", "built");
rmSync(out, { recursive: true, force: true });  // names of chunks change with their contents
mkdirSync(out, { recursive: true });
const common = { outdir: out, bundle: true, target: "es2022", minify: true, jsx: "automatic", jsxImportSource: "preact" };
await build({ ...common, entryPoints: [join(here, "src", "main.tsx")], splitting: true, format: "esm", legalComments: "linked" });
// what `ggp export --html` puts into one file
const alone = { alone: join(here, "src", "alone", "page.tsx"), "alone-worker": join(here, "src", "alone", "worker.ts") };
await build({ ...common, entryPoints: alone, format: "iife", legalComments: "none" });
for (const file of ["index.html", "icon.svg", "alone.html"]) copyFileSync(join(here, "src", file), join(out, file));
// clients that a manager's pages offer for copying
for (const file of ["first_player.py", "client.mjs", "Client.java", "client.rs"]) copyFileSync(join(here, "..", "docs", "examples", file), join(out, file.replace(/py$/, "txt")));  // no module of the package
