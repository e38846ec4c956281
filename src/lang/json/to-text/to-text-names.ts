import type { JsonValue } from '../../../base/index.ts'
import type { FunctionNames, JsonLowering } from '../context.ts'

/** Reports parts of a body that a text cannot express. */
export interface TextNotes {
  /** Reports an error; `what` completes the sentence "The text language has no form for …". */
  fail(what: string): void
  /** True if a value is the stand-in of a parameter. The text must then be right for any value. */
  isOpen(value: JsonValue | undefined): boolean
}

/** Context of one pipeline within the text: table and time offsets. */
export interface PipelineContext {
  /** Sum of the `timeOffset` values of this pipeline and of all enclosing pipelines, ns. */
  readonly shiftNs: bigint
  /** Time offset that the surrounding query text already applies, ns. */
  readonly inheritedNs: bigint
  readonly domain: string | undefined
}

export interface TextContext extends TextNotes {
  readonly functions: FunctionNames
  /** Lowering context, which collects the errors of the JSON body. */
  readonly lowering: JsonLowering
  /** Returns a new name that no column has. */
  fresh(): string
}

const NAMED: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Returns a string in double quotes, with control characters escaped. */
export function quoted(text: string): string {
  let out = '"'
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0
    out += NAMED[char] ?? (code < 32 || code === 127 ? `\\x${code.toString(16).padStart(2, '0')}` : char)
  }
  return `${out}"`
}

/** Writes a column name. Adds quotes if the bare name could be parsed as anything but a name. */
export function name(text: string): string {
  return /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/.test(text) && !RESERVED.has(text.toLowerCase()) ? text : quoted(text)
}

const RESERVED = new Set(['and', 'or', 'not', 'in', 'by', 'as', 'if', 'from', 'asc', 'desc', 'inf', 'nan', 'limit'])

export function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null)
}

/** Escapes a string so that a regular expression (RE2 syntax) matches it literally. */
export function escapeRegexp(text: string): string {
  return text.replaceAll(/[\\.+*?()|[\]{}^$]/g, String.raw`\$&`)
}
