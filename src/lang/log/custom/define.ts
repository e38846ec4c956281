import { nowhere, Options, SluiceError } from '../../../base/index.ts'
import { logDiagnostic } from '../diagnostics.ts'
import { faultOfName } from '../vocabulary.ts'
import { formOf, type ArgumentDefinition, type CustomBody, type CustomPipeDefinition } from './definition.ts'

export type CustomPipeOptions<A extends readonly ArgumentDefinition[]> = CustomBody<A> & {
  /** Name of the pipe: lower-case letters, digits and `_`. */
  readonly name: string
  readonly arguments?: A
  readonly doc: { readonly summary: string; readonly examples?: readonly string[] }
}

const NAME = /^[a-z_][a-z0-9_]*$/
const pipeOptions = new Options<CustomPipeOptions<readonly ArgumentDefinition[]>>(
  {
    name: 'string',
    arguments: 'list',
    doc: new Options<CustomPipeOptions<[]>['doc']>({ summary: 'string', examples: 'list' }, ['summary']),
    expand: 'any',
    lower: 'any',
    rows: 'any',
    tables: 'any',
    isOneToOne: 'boolean',
    fields: 'function',
    columns: 'function',
  },
  ['name', 'doc'],
)
const BODIES = ['expand', 'lower', 'rows', 'tables'] as const

/**
 * Defines a pipe for the native dialect by one of four functions:
 * - `expand` returns the pipes that replace the call, as text.
 * - `lower` returns a plan.
 * - `rows` computes new rows from one row.
 * - `tables` computes new rows from all rows.
 * Throws `log/bad-definition`, also for a name that is already in use.
 */
export function definePipe<const A extends readonly ArgumentDefinition[] = readonly []>(
  options: CustomPipeOptions<A>,
): CustomPipeDefinition {
  pipeOptions.check(options, '`definePipe`')
  const { name, doc } = options
  const args: readonly ArgumentDefinition[] = options.arguments ?? []
  const refuse = (reason: string): never => {
    throw new SluiceError([logDiagnostic('bad-definition', { name, reason }, nowhere)])
  }
  const fault = faultOfName(name)
  if (fault !== undefined) refuse(fault)
  const bodies = BODIES.filter(
    (body) => typeof (options as unknown as Partial<Record<string, unknown>>)[body] === 'function',
  )
  if (bodies.length !== 1) refuse('it needs one of the functions `expand`, `lower`, `rows` and `tables`')
  const seen = new Set<string>()
  for (const argument of args) {
    if (!NAME.test(argument.name)) refuse(`\`${argument.name}\` cannot be the name of an argument`)
    if (seen.has(argument.name)) refuse(`two arguments are called \`${argument.name}\``)
    seen.add(argument.name)
  }
  return Object.freeze({
    name,
    arguments: args,
    body: options,
    doc: {
      summary: doc.summary,
      form: formOf(name, args),
      examples: (doc.examples ?? []).map((query) => ({ query, text: '', dialect: 'native' as const })),
    },
  })
}
