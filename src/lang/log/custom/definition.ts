import type { JsonValue, Origin, Span } from '../../../base/index.ts'
import type { DataType } from '../../../data/index.ts'
import type { LogicalPlan } from '../../../plan/index.ts'
import type { FieldRef, Pipe, TextValue } from '../ast.ts'
import type { FeatureDoc } from '../feature-doc.ts'

/** What an argument is in the language, and what a definition's functions get for it. */
export interface ArgumentTypes {
  readonly number: number
  readonly text: string
  /** Nanoseconds. */
  readonly duration: bigint
  /** A name, aliases resolved. */
  readonly field: string
  /** Names in parentheses. */
  readonly fields: readonly string[]
}

export type ArgumentType = keyof ArgumentTypes

export interface ArgumentDefinition {
  readonly name: string
  readonly type: ArgumentType
  /** Left out, or written as `name=value`; the functions get `undefined` without it. */
  readonly isOptional?: boolean
}

/** The arguments of one call, by name. */
export type ArgumentsOf<A extends readonly ArgumentDefinition[]> = {
  readonly [D in A[number] as D['name']]:
    | ArgumentTypes[D['type']]
    | (D extends { readonly isOptional: true } ? undefined : never)
}

/** The arguments as they are written in a query, so that a text made of them says what it should, whatever they hold. */
export type WrittenOf<A extends readonly ArgumentDefinition[]> = {
  readonly [D in A[number] as D['name']]: string | (D extends { readonly isOptional: true } ? undefined : never)
}

type PlainRow = Readonly<Record<string, unknown>>

/** Another text for the pipe: pipes with `|` between. */
export interface Expansion<A extends readonly ArgumentDefinition[]> {
  readonly expand: (args: WrittenOf<A>) => string
}

/** The plan itself. */
export interface PlanOf<A extends readonly ArgumentDefinition[]> {
  readonly lower: (
    input: LogicalPlan,
    args: ArgumentsOf<A>,
    /** `origin` is the place of the call, for the nodes that are made. */
    context: { readonly origin: Origin },
  ) => LogicalPlan
}

/** A function of one row. */
export interface RowsOf<A extends readonly ArgumentDefinition[]> {
  /** Called once a query; what it gives is called for every row: the new row, several, or `undefined` for none. */
  readonly rows: (args: ArgumentsOf<A>) => (row: PlainRow) => PlainRow | readonly PlainRow[] | undefined
  /**
   * The fields it reads, and those it writes with their types. It is given no others, changes no others, and columns
   * that nobody reads need not be loaded. Without them it gets and gives whole rows.
   */
  readonly fields?: (args: ArgumentsOf<A>) => {
    readonly reads: readonly string[]
    readonly writes: Readonly<Record<string, DataType>>
  }
  /** Exactly one row for each. */
  readonly isOneToOne?: boolean
}

/** A function of all rows, in their order. */
export interface TablesOf<A extends readonly ArgumentDefinition[]> {
  readonly tables: (args: ArgumentsOf<A>) => (rows: readonly PlainRow[]) => Iterable<PlainRow>
  /** The columns that the new rows have, if no others. */
  readonly columns?: (args: ArgumentsOf<A>) => Readonly<Record<string, DataType>>
}

export type CustomBody<A extends readonly ArgumentDefinition[]> = Expansion<A> | PlanOf<A> | RowsOf<A> | TablesOf<A>

/** A pipe that a user of the library has defined, argument types forgotten. */
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

/** A call of a pipe that is not a standard one. */
export interface CustomPipe {
  readonly kind: 'custom'
  readonly definition: CustomPipeDefinition
  readonly arguments: readonly CustomArgument[]
  /** The pipes that stand for it, when its definition says so in text; filled in when the text around it is read. */
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

/** Arguments as plans carry them: durations are nanoseconds as text, and those left out are missing. */
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
