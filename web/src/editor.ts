// The editor of rules: CodeMirror, with what the language server knows. In a shadow root, where its styles need no inline style sheet.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, HighlightStyle, indentUnit, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { findReferencesKeymap, formatDocument, formatKeymap, hoverTooltips, jumpToDefinitionKeymap, LSPClient, LSPPlugin, renameKeymap, serverCompletion } from "@codemirror/lsp-client";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, StateEffect, StateField, type Text } from "@codemirror/state";
import { Decoration, drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers, type DecorationSet } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { socketAt } from "./base";
import { sendInParts, type Finding } from "./connection";

const FILE = "untitled:game.rules";
const LANGUAGE = "ggp-rules";

export interface Editor {
  text: () => string;
  replace: (text: string) => void;
  format: () => void;
  /** Show what play found, at its place; `onShow` shows the play that leads there. */
  show: (findings: Finding[]) => void;
  goTo: (line: number, column: number) => void;
  close: () => void;
}

interface Events {
  /** The text has changed. */
  onChange: (text: string) => void;
  /** The text was checked: the number of errors. */
  onChecked: (errors: number) => void;
  onShow: (finding: Finding) => void;
  onLost: () => void;
}

interface Position { line: number; character: number }
interface Range { start: Position; end: Position }
interface Published { version?: number; diagnostics: { range: Range; message: string; severity: number; data?: { title: string; range: Range; newText: string }[] }[] }

// Comments, texts and numbers have their colours at once; names and words get theirs from the server, by what they stand for.
const language = StreamLanguage.define({
  name: LANGUAGE,
  token: (stream) => {
    if (stream.match(/^#.*/)) return "comment";
    if (stream.match(/^"[^"\n]*"?/)) return "string";
    if (stream.match(/^\d+(\.\d+)?([eE][-+]?\d+)?/)) return "number";
    if (!stream.match(/^\w+/)) stream.next();
    return null;
  },
  languageData: { commentTokens: { line: "#" }, closeBrackets: { brackets: ["(", "[", "{", '"'] } },
});
const colours = HighlightStyle.define([
  { tag: tags.comment, color: "var(--soft)", fontStyle: "italic" },
  { tag: tags.string, color: "var(--good)" },
  { tag: tags.number, color: "var(--code-number)" },
]);
const theme = EditorView.theme({
  "&": { height: "100%", fontSize: "14px", backgroundColor: "var(--card)", color: "var(--ink)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--card)", color: "var(--soft)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--raised) 60%, transparent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--accent-soft)" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": { backgroundColor: "var(--accent-soft)", outline: "1px solid var(--accent)" },
  ".cm-selectionMatch": { backgroundColor: "color-mix(in srgb, var(--mark) 30%, transparent)" },
  ".cm-tooltip": { backgroundColor: "var(--card)", color: "var(--ink)", border: "1px solid var(--edge)", borderRadius: "8px", maxWidth: "560px", zIndex: "20" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
  ".cm-completionIcon-keyword::after": { content: "'w'" },  // the usual sign is in few fonts
  ".cm-lsp-hover-tooltip, .cm-lsp-documentation": { padding: "4px 10px", fontSize: "14px" },
  ".cm-diagnosticAction": { backgroundColor: "var(--accent)", color: "var(--on-accent)", borderRadius: "6px", padding: "2px 9px" },
  ".cm-diagnostic": { padding: "6px 10px" },
  ".cm-panels": { backgroundColor: "var(--raised)", color: "var(--ink)" },
  ".cm-panels input, .cm-panels button": { color: "var(--ink)", backgroundColor: "var(--card)", backgroundImage: "none", border: "1px solid var(--edge)", borderRadius: "6px" },
  ".t-keyword": { color: "var(--code-word)" },
  ".t-type, .t-property": { color: "var(--code-type)" },
  ".t-function": { color: "var(--code-function)" },
  ".t-enumMember": { color: "var(--code-number)" },
  ".t-event": { color: "var(--code-event)", fontWeight: "600" },
});

const coloured = StateEffect.define<DecorationSet>();
const names = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (value, change) => change.effects.reduce((latest, effect) => (effect.is(coloured) ? effect.value : latest), value.map(change.changes)),
  provide: (field) => EditorView.decorations.from(field),
});

export function openEditor(host: HTMLElement, text: string, events: Events): Editor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  let mistakes: Diagnostic[] = [], shown: Diagnostic[] = [];
  const show = () => view.dispatch(setDiagnostics(view.state, [...mistakes, ...shown].filter((one) => one.to <= view.state.doc.length)));
  const client = new LSPClient({
    timeout: 10_000,
    notificationHandlers: {
      "textDocument/publishDiagnostics": (_, published: Published) => {
        client.sync();
        const doc = view.state.doc;
        mistakes = published.diagnostics.map((one) => ({
          ...placed(doc, one.range), message: one.message, severity: one.severity === 1 ? "error" : "warning",
          actions: (one.data ?? []).map((fix) => ({ name: fix.title, apply: () => {
            const { from, to } = placed(view.state.doc, fix.range, true);
            view.dispatch({ changes: { from, to, insert: fix.newText } });
          } })),
        } satisfies Diagnostic));
        show();
        void colour();
        events.onChecked(mistakes.filter((one) => one.severity === "error").length);
        return true;
      },
    },
  });
  const colour = async () => {
    const doc = view.state.doc;
    const answer = await client.request<object, { data: number[] } | null>("textDocument/semanticTokens/full", { textDocument: { uri: FILE } });
    const legend = client.serverCapabilities?.semanticTokensProvider?.legend.tokenTypes;
    if (!answer || !legend || view.state.doc !== doc) return;  // typed on meanwhile: the next check colours
    const marks = [];
    let line = 0, character = 0;
    for (let at = 0; at + 4 < answer.data.length; at += 5) {
      const [down, right, length, kind] = answer.data.slice(at) as [number, number, number, number];
      character = down ? right : character + right;
      line += down;
      if (line >= doc.lines) break;
      const from = doc.line(line + 1).from + character;
      marks.push(Decoration.mark({ class: `t-${legend[kind]}` }).range(from, Math.min(from + length, doc.length)));
    }
    view.dispatch({ effects: coloured.of(Decoration.set(marks)) });
  };
  const view = new EditorView({
    root, parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(), history(), drawSelection(), bracketMatching(), closeBrackets(), autocompletion(), highlightActiveLine(), highlightSelectionMatches(),
        EditorState.tabSize.of(4), indentUnit.of("    "), language, syntaxHighlighting(colours), theme, names, lintGutter(),
        keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...searchKeymap, ...completionKeymap, ...lintKeymap, ...formatKeymap, ...renameKeymap, ...jumpToDefinitionKeymap, ...findReferencesKeymap, indentWithTab]),
        EditorView.domEventHandlers({ beforeinput: typedOver }),
        client.plugin(FILE, LANGUAGE), serverCompletion({ override: true }), hoverTooltips(),
        EditorView.contentAttributes.of({ "aria-label": "Rules of the game", spellcheck: "false" }),
        EditorView.updateListener.of((update) => {
          if (!update.docChanged) return;
          shown = [];
          mistakes = mistakes.map((one) => ({ ...one, from: update.changes.mapPos(one.from), to: update.changes.mapPos(one.to) }));
          queueMicrotask(() => { if (client.connected) client.sync(); });
          events.onChange(update.state.doc.toString());
        }),
      ],
    }),
  });
  view.scrollDOM.tabIndex = 0;  // it is scrolled by keys, too
  const socket = new WebSocket(socketAt("/api/language"));
  const handlers = new Set<(message: string) => void>();
  socket.onmessage = (event) => handlers.forEach((handler) => handler(event.data as string));
  socket.onopen = () => client.connect({
    send: (message) => sendInParts(socket, message),
    subscribe: (handler) => handlers.add(handler),
    unsubscribe: (handler) => handlers.delete(handler),
  });
  socket.onclose = events.onLost;
  return {
    text: () => view.state.doc.toString(),
    replace: (next) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next }, selection: { anchor: 0 }, scrollIntoView: true }),
    format: () => { formatDocument(view); },
    show: (findings) => {
      shown = findings.filter((one) => one.line !== null).map((one) => ({
        ...placed(view.state.doc, rangeOf(one)), message: one.hint ? `${one.message}\n${one.hint}` : one.message, severity: one.severity,
        source: "in play", actions: one.play?.length ? [{ name: "show the play", apply: () => events.onShow(one) }] : [],
      } satisfies Diagnostic));
      show();
    },
    goTo: (line, column) => {
      const { from } = placed(view.state.doc, { start: { line: line - 1, character: column - 1 }, end: { line: line - 1, character: column - 1 } });
      view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
      view.focus();
    },
    close: () => { socket.onclose = null; LSPPlugin.get(view)?.client.disconnect(); view.destroy(); socket.close(); },
  };
}

/** Replace what is selected: browsers would give the new line the looks of the old one, as a style that the policy blocks. */
function typedOver(event: InputEvent, view: EditorView): boolean {
  // the page's selection: of what was just selected the editor may not have heard yet
  const root = view.root as Partial<Document>, text = event.data;
  const selected = (root.getSelection ? root as Document : document).getSelection();
  if (!selected?.rangeCount || text === null || event.inputType !== "insertText" || event.isComposing) return false;
  const ends = [view.posAtDOM(selected.anchorNode!, selected.anchorOffset), view.posAtDOM(selected.focusNode!, selected.focusOffset)];
  const from = Math.min(...ends), to = Math.max(...ends);
  if (from === to) return false;
  event.preventDefault();
  const insert = () => view.state.update({ changes: { from, to, insert: text }, selection: { anchor: from + text.length }, userEvent: "input.type", scrollIntoView: true });
  if (!view.state.facet(EditorView.inputHandler).some((handler) => handler(view, from, to, text, insert))) view.dispatch(insert());
  return true;
}

function rangeOf(finding: Finding): Range {
  return { start: { line: finding.line! - 1, character: finding.column! - 1 }, end: { line: finding.end_line! - 1, character: finding.end_column! - 1 } };
}

/** Where a range of the protocol is in a document; never empty unless it may be, so that it can be seen. */
function placed(doc: Text, range: Range, mayBeEmpty = false): { from: number; to: number } {
  const offset = ({ line, character }: Position) => {
    if (line >= doc.lines) return doc.length;
    const { from, to } = doc.line(line + 1);
    return Math.min(from + character, to);
  };
  const from = offset(range.start), to = Math.max(from, offset(range.end));
  if (from < to || mayBeEmpty) return { from, to };
  return from > 0 && from === doc.lineAt(from).to ? { from: from - 1, to } : { from, to: Math.min(from + 1, doc.length) };
}
