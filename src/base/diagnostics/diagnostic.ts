import { present } from '../assert.ts'
import { at, nowhere, spanOf, type Origin } from './origin.ts'
import type { Span } from './span.ts'

/** The severity of a diagnostic. A text with an `error` cannot be run; a `warning` or an `info` does not prevent it. */
export type Severity = 'error' | 'warning' | 'info'

/** Replaces the source text in `span` by `text`; an empty span inserts `text`. */
export interface Edit {
  readonly span: Span
  readonly text: string
}

/** A change to the source text that resolves the diagnostic. */
export interface Fix {
  readonly title: string
  readonly edits: readonly Edit[]
  /** True if the fix certainly preserves the intent of the author. */
  readonly isSafe: boolean
}

/** A message to the author of a query or body: what is wrong, why, and what to do. */
export interface Diagnostic {
  /** The code `module/what`, stable across releases. */
  readonly code: string
  readonly severity: Severity
  /** One sentence that states what is wrong. */
  readonly message: string
  readonly origin: Origin
  /** Sentences on the reasons and consequences of the fault. */
  readonly notes: readonly string[]
  readonly fixes: readonly Fix[]
  /** The parameters of the message, by name. */
  readonly data: Readonly<Record<string, unknown>>
}

/** The wording of a diagnostic code for given parameters. */
export interface DiagnosticText {
  readonly message: string
  readonly why?: string | readonly string[] | undefined
  readonly severity?: Severity | undefined
  readonly fixes?: ((span: Span) => readonly Fix[]) | undefined
}

type Definitions = { readonly [what: string]: (data: never) => DiagnosticText }

type DataOf<D extends Definitions, K extends keyof D> = Parameters<D[K]>[0]

/** Makes diagnostics of one module; a wrong code or wrong parameters do not compile. */
export interface DiagnosticFactory<D extends Definitions> {
  <K extends keyof D & string>(what: K, data: DataOf<D, K>, where: Origin | Span): Diagnostic
  readonly module: string
  readonly codes: readonly (keyof D & string)[]
}

/**
 * Declares the codes of one module once, each with the type of its parameters.
 *
 *     const logDiagnostic = defineDiagnostics('log', {
 *       'unknown-pipe': (d: { name: string }) => ({ message: `There is no pipe named \`${d.name}\`.` }),
 *     })
 *     logDiagnostic('unknown-pipe', { name }, span)
 */
export function defineDiagnostics<D extends Definitions>(module: string, definitions: D): DiagnosticFactory<D> {
  const make = <K extends keyof D & string>(what: K, data: DataOf<D, K>, where: Origin | Span): Diagnostic => {
    const origin: Origin = 'kind' in where ? where : at(where)
    const text = present<D[keyof D]>(definitions[what], what)(data)
    const span = spanOf(origin)
    return {
      code: `${module}/${what}`,
      severity: text.severity ?? 'error',
      message: text.message,
      origin,
      notes: text.why === undefined ? [] : typeof text.why === 'string' ? [text.why] : text.why,
      fixes: span === undefined || text.fixes === undefined ? [] : text.fixes(span),
      data,
    }
  }
  return Object.assign(make, { module, codes: Object.keys(definitions) })
}

/** Returns a fix that replaces `span` by `text`. */
export function replaceWith(span: Span, text: string, title = `Write \`${text}\``, isSafe = false): Fix {
  return { title, edits: [{ span, text }], isSafe }
}

export function insertAt(offset: number, text: string, title = `Insert \`${text}\``, isSafe = false): Fix {
  return { title, edits: [{ span: { start: offset, end: offset }, text }], isSafe }
}

/**
 * Removes every diagnostic whose position already has one with the same code, since both come from one fault.
 * Diagnostics without a position are not removed.
 */
export function withoutEchoes(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const seen = new Set<string>()
  return diagnostics.filter(({ code, origin }) => {
    const where = spanOf(origin)
    if (where === undefined) return true
    const key = `${code} ${where.start} ${where.end}`
    return !seen.has(key) && seen.add(key)
  })
}

/**
 * Merges diagnostics with the same message: the first one gets a note with the number of other positions. Lazy members,
 * such as fixes, are not evaluated.
 */
export function saidOnce(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const alike = Map.groupBy(withoutEchoes(diagnostics), (each) =>
    spanOf(each.origin) === undefined ? each : each.message,
  )
  return [...alike.values()].map((group): Diagnostic => {
    const [first] = group
    const merged = present(first)
    if (group.length === 1) return merged
    const others = group.length === 2 ? 'one more place' : `${group.length - 1} more places`
    const notes = { value: [...merged.notes, `The same holds at ${others}.`], enumerable: true }
    return Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(merged), notes }) as Diagnostic
  })
}

/** The only error type for bad input. It has diagnostics with positions. Any other error is a bug in Sluice. */
export class SluiceError extends Error {
  override readonly name: string = 'SluiceError'
  readonly diagnostics: readonly Diagnostic[]

  constructor(diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map((d) => d.message).join(' '))
    this.diagnostics = diagnostics
  }

  /** Returns the code of the first error. */
  get code(): string {
    return this.diagnostics[0]?.code ?? 'base/unknown'
  }
}

export function isError(diagnostic: Diagnostic): boolean {
  return diagnostic.severity === 'error'
}

/** Throws a SluiceError when at least one diagnostic is an error. */
export function throwIfErrors(diagnostics: readonly Diagnostic[]): void {
  const errors = diagnostics.filter(isError)
  if (errors.length > 0) throw new SluiceError(errors)
}

export { nowhere }
