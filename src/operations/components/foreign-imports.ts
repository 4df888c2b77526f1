interface ImportFault {
  message: string
  /** Finds it in the code that was compiled. */
  sought: RegExp
}

/**
 * What a compiled module would load besides the one module that it may. It is read from what comes out, whatever the
 * code looked like: esbuild prints each import as a statement of its own that begins at the margin with `import` or
 * `export`, where nothing else begins so; `import()` and `require` it was told to turn into what is looked for here.
 */
export function foreignImports(
  js: string,
  { allowed, require }: { allowed: string; require: string },
): ImportFault[] {
  const faults: ImportFault[] = []
  for (const [statement] of js.matchAll(STATEMENT)) {
    if (OWN_EXPORTS.test(statement)) continue
    const source = SOURCE.exec(statement)?.[1]
    if (source === allowed) continue
    faults.push({
      message: `cannot import '${(source ?? statement).slice(0, MAX_SHOWN)}': only "import … from '${allowed}'" is there`,
      sought: new RegExp(`(['"])${RegExp.escape(source ?? statement)}\\1`),
    })
  }
  if (js.includes(require))
    faults.push({
      message: `cannot use require: only "import … from '${allowed}'" is there`,
      sought: /\brequire\b/,
    })
  if (/^var __toESM = /m.test(js))
    faults.push({
      message: `cannot import while it runs: only "import … from '${allowed}'" at the top is there`,
      sought: /\bimport\s*\(/,
    })
  return faults
}

/** Characters of a module's name that a message repeats. */
const MAX_SHOWN = 200
/** One line, or what is indented in braces with the line that closes them. */
const STATEMENT = /^(?:import|export)\b(?:.*\{\n(?: .*\n)*\}.*|.*)$/gm
/** The names that the module itself exports, which esbuild gathers at its end. */
const OWN_EXPORTS = /^export \{\n(?: .*\n)*\};?$/
const SOURCE = /^(?:import|.* from|[^]*\n\} from) "((?:[^"\\]|\\.)*)";$/
