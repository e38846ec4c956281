import type { JsonValue, Origin, Span } from '../../../base/index.ts'
import type { DataType } from '../../../data/index.ts'
import type { LogicalPlan } from '../../../plan/index.ts'
import type { FieldRef, Pipe, TextValue } from '../ast.ts'
import type { FeatureDoc } from '../feature-doc.ts'

/** For each argument type, the type of the value that a definition's functions receive. */
export interface ArgumentTypes {
  readonly number: number
  readonly text: string
  /** A duration, ns. */
  readonly duration: bigint
  /** A field name, with aliases resolved. */
  readonly field: string
  /** A list of names in parentheses. */
  readonly fields: readonly string[]
}

export type ArgumentType = keyof ArgumentTypes

export interface ArgumentDefinition {
  readonly name: string
  readonly type: ArgumentType
  /** True if the argument may be omitted, and may be written as `name=value`. An omitted argument is `undefined`. */
  readonly isOptional?: boolean
}

/** Arguments of one call, by name. */
export type ArgumentsOf<A extends readonly ArgumentDefinition[]> = {
  readonly [D in A[number] as D['name']]:
    | ArgumentTypes[D['type']]
    | (D extends { readonly isOptional: true } ? undefined : never)
}

/**
 * Arguments of one call as query text, by name. Each text is quoted where necessary, so `expand` may insert it anywhere
 * a value may stand.
 */
export type WrittenOf<A extends readonly ArgumentDefinition[]> = {
  readonly [D in A[number] as D['name']]: string | (D extends { readonly isOptional: true } ? undefined : never)
}

type PlainRow = Readonly<Record<string, unknown>>

/** Definition of a pipe by text: `expand` returns one or more pipes, separated by `|`. */
export interface Expansion<A extends readonly ArgumentDefinition[]> {
  readonly expand: (args: WrittenOf<A>) => string
}

/** Definition of a pipe by a function that returns a plan. */
export interface PlanOf<A extends readonly ArgumentDefinition[]> {
  readonly lower: (
    input: LogicalPlan,
    args: ArgumentsOf<A>,
    /** `origin` is the position of the call; new plan nodes should have this origin. */
    context: { readonly origin: Origin },
  ) => LogicalPlan
}

/** Definition of a pipe by a function that is called for each row. */
export interface RowsOf<A extends readonly ArgumentDefinition[]> {
  /**
   * Called once for each query. Returns a function that is called for every row and returns one new row, several, or
   * `undefined` for none.
   */
  readonly rows: (args: ArgumentsOf<A>) => (row: PlainRow) => PlainRow | readonly PlainRow[] | undefined
  /**
   * Returns the fields that the row function reads, and the fields that it writes with their types. The row function
   * then receives and changes only these fields, and unused columns are not loaded. If omitted, the row function
   * receives and returns whole rows.
   */
  readonly fields?: (args: ArgumentsOf<A>) => {
    readonly reads: readonly string[]
    readonly writes: Readonly<Record<string, DataType>>
  }
  /** True if the function returns exactly one row for each row. */
  readonly isOneToOne?: boolean
}

/** Definition of a pipe by a function that receives all rows, in their order. */
export interface TablesOf<A extends readonly ArgumentDefinition[]> {
  readonly tables: (args: ArgumentsOf<A>) => (rows: readonly PlainRow[]) => Iterable<PlainRow>
  /** Returns all columns of the new rows, with their types. */
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

/** One argument of a call, with its type. */
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
  /**
   * Pipes to which the call expands; set when the enclosing text is parsed. `undefined` if the definition is not by
   * text.
   */
  expansion: readonly Pipe[] | undefined
  readonly span: Span
}

declare module '../ast.ts' {
  interface PipeKinds {
    custom: CustomPipe
  }
}

/** Returns the syntax of a pipe for documentation: `name field, [option=number]`. */
export function formOf(name: string, args: readonly ArgumentDefinition[]): string {
  const written = args.map((arg) => {
    const value = arg.type === 'fields' ? '(field, …)' : arg.type
    return arg.isOptional === true ? `[${arg.name}=${value}]` : arg.name === arg.type ? value : `${arg.name}:${value}`
  })
  return [name, written.join(', ')].filter((part) => part !== '').join(' ')
}

/**
 * Converts the arguments in a plan to those that a definition's functions receive. In a plan, durations are strings in
 * ns, and omitted arguments are missing.
 */
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
