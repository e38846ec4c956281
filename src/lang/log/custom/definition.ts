import type { JsonValue, Origin, Span } from '../../../base/index.ts'
import type { DataType } from '../../../data/index.ts'
import type { LogicalPlan } from '../../../plan/index.ts'
import type { FieldRef, Pipe, TextValue } from '../ast.ts'
import type { FeatureDoc } from '../feature-doc.ts'

/** Types of arguments, and what a definition's functions receive. */
export interface ArgumentTypes {
  readonly number: number
  readonly text: string
  /** Nanoseconds. */
  readonly duration: bigint
  /** A field name with aliases resolved. */
  readonly field: string
  /** A list of names in parentheses. */
  readonly fields: readonly string[]
}

export type ArgumentType = keyof ArgumentTypes

export interface ArgumentDefinition {
  readonly name: string
  readonly type: ArgumentType
  /** True if it may be omitted, or is written `name=value`; it is `undefined` then. */
  readonly isOptional?: boolean
}

/** Arguments of one call, by name. */
export type ArgumentsOf<A extends readonly ArgumentDefinition[]> = {
  readonly [D in A[number] as D['name']]:
    | ArgumentTypes[D['type']]
    | (D extends { readonly isOptional: true } ? undefined : never)
}

/** Arguments in query syntax, so that a text made of them has the right meaning for any content. */
export type WrittenOf<A extends readonly ArgumentDefinition[]> = {
  readonly [D in A[number] as D['name']]: string | (D extends { readonly isOptional: true } ? undefined : never)
}

type PlainRow = Readonly<Record<string, unknown>>

/** Expands a pipe to text: pipes with `|` between. */
export interface Expansion<A extends readonly ArgumentDefinition[]> {
  readonly expand: (args: WrittenOf<A>) => string
}

/** Lowers a pipe to a plan. */
export interface PlanOf<A extends readonly ArgumentDefinition[]> {
  readonly lower: (
    input: LogicalPlan,
    args: ArgumentsOf<A>,
    /** `origin` is that of the call, for new nodes. */
    context: { readonly origin: Origin },
  ) => LogicalPlan
}

/** A function of one row. */
export interface RowsOf<A extends readonly ArgumentDefinition[]> {
  /**
   * Called once for each query; the result is called for every row and returns the new row, several, or `undefined` for
   * none.
   */
  readonly rows: (args: ArgumentsOf<A>) => (row: PlainRow) => PlainRow | readonly PlainRow[] | undefined
  /**
   * Fields that it reads, and fields that it writes with their types. It receives and changes no others, so unused
   * columns need not be loaded. Without this it receives and returns whole rows.
   */
  readonly fields?: (args: ArgumentsOf<A>) => {
    readonly reads: readonly string[]
    readonly writes: Readonly<Record<string, DataType>>
  }
  /** True if it returns exactly one row for each. */
  readonly isOneToOne?: boolean
}

/** A function of all rows, in their order. */
export interface TablesOf<A extends readonly ArgumentDefinition[]> {
  readonly tables: (args: ArgumentsOf<A>) => (rows: readonly PlainRow[]) => Iterable<PlainRow>
  /** All columns of the new rows. */
  readonly columns?: (args: ArgumentsOf<A>) => Readonly<Record<string, DataType>>
}

export type CustomBody<A extends readonly ArgumentDefinition[]> = Expansion<A> | PlanOf<A> | RowsOf<A> | TablesOf<A>

/** A user-defined pipe, with argument types erased. */
export interface CustomPipeDefinition {
  readonly name: string
  readonly arguments: readonly ArgumentDefinition[]
  readonly body: CustomBody<readonly ArgumentDefinition[]>
  readonly doc: FeatureDoc
}

/** One argument of a call. */
export interface CustomArgument {
  readonly name: string
  readonly type: ArgumentType
  readonly value: TextValue | readonly FieldRef[]
}

/** A call of a user-defined pipe. */
export interface CustomPipe {
  readonly kind: 'custom'
  readonly definition: CustomPipeDefinition
  readonly arguments: readonly CustomArgument[]
  /** The pipes that it expands to, if its definition is text; set when the enclosing text is parsed. */
  expansion: readonly Pipe[] | undefined
  readonly span: Span
}

declare module '../ast.ts' {
  interface PipeKinds {
    custom: CustomPipe
  }
}

/** `name field, [option=number]` */
export function formOf(name: string, args: readonly ArgumentDefinition[]): string {
  const written = args.map((arg) => {
    const value = arg.type === 'fields' ? '(field, …)' : arg.type
    return arg.isOptional === true ? `[${arg.name}=${value}]` : arg.name === arg.type ? value : `${arg.name}:${value}`
  })
  return [name, written.join(', ')].filter((part) => part !== '').join(' ')
}

/** Arguments in plans: durations are strings of ns, omitted ones are missing. */
export function argumentsFrom(
  definition: Pick<CustomPipeDefinition, 'arguments'>,
  params: JsonValue,
): ArgumentsOf<readonly ArgumentDefinition[]> {
  const given = params as Readonly<Record<string, JsonValue>>
  return Object.fromEntries(
    definition.arguments.map(({ name, type }) => {
      const value = given[name]
      return [name, type === 'duration' && typeof value === 'string' ? BigInt(value) : value]
    }),
  ) as ArgumentsOf<readonly ArgumentDefinition[]>
}
