import type { JsonValue } from '../../../base/index.ts'
import type { FunctionNames, JsonLowering } from '../context.ts'

/** Reports parts of a body that a text cannot express. */
export interface TextNotes {
  /** `what` completes "The text language has no form for …". */
  fail(what: string): void
  /** True if a value is the stand-in of a parameter, which may have any value. */
  isOpen(value: JsonValue | undefined): boolean
}

/** Position of a pipeline in the text. */
export interface TextPlace {
  /** Sum of its own `timeOffset` and those around it, ns. */
  readonly shiftNs: bigint
  /** Offset that a query inherits from the query around it, ns. */
  readonly inheritedNs: bigint
  readonly domain: string | undefined
}

export interface TextContext extends TextNotes {
  readonly functions: FunctionNames
  /** Diagnostics of the body itself. */
  readonly lowering: JsonLowering
  /** Returns a name that no column has. */
  fresh(): string
}

const NAMED: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Quotes a string with double quotes; control characters are escaped. */
export function quoted(text: string): string {
  let out = '"'
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0
    out += NAMED[char] ?? (code < 32 || code === 127 ? `\\x${code.toString(16).padStart(2, '0')}` : char)
  }
  return `${out}"`
}

/** Writes a column name, unquoted if it cannot be read as anything else. */
export function name(text: string): string {
  return /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/.test(text) && !RESERVED.has(text.toLowerCase()) ? text : quoted(text)
}

const RESERVED = new Set(['and', 'or', 'not', 'in', 'by', 'as', 'if', 'from', 'asc', 'desc', 'inf', 'nan', 'limit'])

export function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null)
}

/** Escapes a text for RE2. */
export function escapeRegexp(text: string): string {
  return text.replaceAll(/[\\.+*?()|[\]{}^$]/g, String.raw`\$&`)
}
