import { type Diagnostic, span } from '../../base/index.ts'
import type { Dialect } from '../../plan/index.ts'
import type { Query } from './ast.ts'
import { logDiagnostic } from './diagnostics.ts'
import { defaultLogLimits, type LogLimits } from './limits.ts'
import { logParser } from './parser.ts'
import { pipeDefinitions } from './pipes/index.ts'
import { scan } from './scan.ts'
import { openForm, statsForms, type StatsForms } from './stats/call.ts'
import { LimitFault, SyntaxFault, type Session } from './syntax.ts'

export interface ParseOptions {
  /** `native` unless given. */
  readonly dialect?: Dialect
  readonly limits?: Partial<LogLimits>
  /** Further stats functions that may be called, by name. */
  readonly functionNames?: readonly string[]
}

export interface Parsed {
  /** What could be read; `isIncomplete` tells that something could not. */
  readonly ast: Query
  /** In the order of the text; without errors the query means what it says. */
  readonly diagnostics: readonly Diagnostic[]
}

function formsOf(names: readonly string[] | undefined): StatsForms {
  if (names === undefined) return statsForms
  const forms = new Map(statsForms)
  for (const name of names) if (!forms.has(name.toLowerCase())) forms.set(name.toLowerCase(), openForm)
  return forms
}

/** Bytes of UTF-8; exact. */
function utf8Length(text: string): number {
  let bytes = text.length
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit >= 0x800) bytes += unit >= 0xd800 && unit <= 0xdfff ? 1 : 2
    else if (unit >= 0x80) bytes++
  }
  return bytes
}

class TooManyErrors extends Error {}

/**
 * Reads a query of the log language. Never throws, for any text: what cannot be read is told in `diagnostics`, and the
 * rest of the text is read too. Takes time linear in the length of the text.
 */
export function parse(text: string, options: ParseOptions = {}): Parsed {
  const limits = { ...defaultLogLimits, ...options.limits }
  const diagnostics: Diagnostic[] = []
  const nothing: Query = { options: [], filter: undefined, pipes: [], isIncomplete: true, span: span(0, text.length) }
  const lengthBytes = text.length > limits.textBytes ? text.length : utf8Length(text)
  if (lengthBytes > limits.textBytes) {
    const data = { limitBytes: limits.textBytes, lengthBytes }
    return { ast: nothing, diagnostics: [logDiagnostic('text-too-long', data, span(0, text.length))] }
  }
  const report = (diagnostic: Diagnostic): void => {
    if (diagnostics.length >= limits.errors) throw new TooManyErrors()
    diagnostics.push(diagnostic)
  }
  const session: Session = {
    source: text,
    dialect: options.dialect ?? 'native',
    limits,
    stats: formsOf(options.functionNames),
    pipeNames: pipeDefinitions.flatMap(({ names }) => names),
    report,
  }
  let ast = nothing
  try {
    // Building the grammar makes the keywords known to the scanner.
    const parser = logParser()
    const { tokens, faults } = scan(text)
    for (const fault of faults)
      report(logDiagnostic('bad-escape', { reason: fault.reason }, span(fault.start, fault.end)))
    parser.begin(session, tokens)
    ast = parser.readQuery() ?? nothing
  } catch (error) {
    const end = span(text.length, text.length)
    if (error instanceof LimitFault || error instanceof SyntaxFault) diagnostics.push(error.diagnostic)
    else if (error instanceof TooManyErrors) {
      diagnostics.push(logDiagnostic('too-many-errors', { limit: limits.errors }, end))
    } else if (error instanceof RangeError) {
      diagnostics.push(logDiagnostic('too-deep', { limit: limits.depth }, span(0, text.length)))
    } else throw error
  }
  return { ast, diagnostics: diagnostics.toSorted(byPosition) }
}

function byPosition(a: Diagnostic, b: Diagnostic): number {
  return startOf(a) - startOf(b)
}

function startOf({ origin }: Diagnostic): number {
  return origin.kind === 'text' ? origin.span.start : 0
}
