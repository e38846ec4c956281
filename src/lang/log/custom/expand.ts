import { isError, type Diagnostic, type Span } from '../../../base/index.ts'
import type { Pipe } from '../ast.ts'
import { logDiagnostic } from '../diagnostics.ts'
import type { Printer } from '../print/printer.ts'
import type { CustomPipe } from './definition.ts'
import { printArgument } from './pipe.ts'

export type Expanded = { readonly pipes: readonly Pipe[] } | { readonly fault: Diagnostic }

/**
 * Returns the pipes to which a call expands. `read` parses the text of the definition. All positions in the result are
 * the position of the call.
 */
export function expand(
  { definition, arguments: args, span }: CustomPipe,
  printer: Printer,
  read: (text: string) => { readonly pipes: readonly Pipe[]; readonly diagnostics: readonly Diagnostic[] },
): Expanded {
  const { body, name } = definition
  const fault = (reason: string): Expanded => ({ fault: logDiagnostic('pipe-failed', { name, reason }, span) })
  if (!('expand' in body)) return { pipes: [] }
  let text: unknown
  try {
    text = body.expand(Object.fromEntries(args.map((arg) => [arg.name, printArgument(arg, printer)])))
  } catch (error) {
    return fault(error instanceof Error ? error.message : String(error))
  }
  if (typeof text !== 'string' || text.trim() === '') return fault('it gave no text of pipes')
  const { pipes, diagnostics } = read(text)
  const error = diagnostics.find(isError)
  return error === undefined
    ? { pipes: pipes.map((pipe) => movedTo(pipe, span)) }
    : fault(`\`${text}\`: ${error.message}`)
}

/** Returns a copy of plain data in which every span is replaced by `where`. */
function movedTo<T>(node: T, where: Span): T {
  if (Array.isArray(node)) return node.map((item: unknown) => movedTo(item, where)) as T
  if (typeof node !== 'object' || node === null || Object.getPrototypeOf(node) !== Object.prototype) return node
  const members = Object.entries(node).map(([name, value]) => {
    const isSpan = name === 'span' || name === 'nameSpan'
    return [name, isSpan ? where : name === 'definition' ? (value as unknown) : movedTo(value as unknown, where)]
  })
  return Object.fromEntries(members) as T
}
