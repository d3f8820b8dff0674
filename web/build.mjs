// Builds the pages into server/web/built: a script, a style sheet, the shell and the icon.
import { build } from "esbuild";
import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, "..", "server", "web", "built");
rmSync(out, { recursive: true, force: true });  // names of chunks change with their contents
mkdirSync(out, { recursive: true });
await build({
  entryPoints: [join(here, "src", "main.tsx")],
  outdir: out,
  bundle: true,
  splitting: true,
  format: "esm",
  target: "es2022",
  minify: true,
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "linked",
});
for (const file of ["index.html", "icon.svg"]) copyFileSync(join(here, "src", file), join(out, file));
