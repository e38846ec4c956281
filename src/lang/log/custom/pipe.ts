import { parseDurationNs, SluiceError, type JsonValue, type Origin } from '../../../base/index.ts'
import { field as schemaField, parseNumber, type DataType, type Field } from '../../../data/index.ts'
import { isPlan, type LogicalPlan } from '../../../plan/index.ts'
import type { FieldRef } from '../ast.ts'
import { logDiagnostic } from '../diagnostics.ts'
import type { LowerContext } from '../lower-context.ts'
import { anyField, named } from '../pipes/parts.ts'
import type { Printer } from '../print/printer.ts'
import {
  argumentsFrom,
  type ArgumentDefinition,
  type CustomArgument,
  type CustomPipe,
  type CustomPipeDefinition,
  type RowsOf,
  type TablesOf,
} from './definition.ts'

type Erased = readonly ArgumentDefinition[]

function isList(value: CustomArgument['value']): value is readonly FieldRef[] {
  return Array.isArray(value)
}

/** Returns an argument as query text. */
export function printArgument({ type, value }: CustomArgument, printer: Printer): string {
  if (isList(value)) return `(${printer.fields(value)})`
  return type === 'number' || type === 'duration' ? printer.number(value.text) : printer.text(value.text)
}

/**
 * Prints a call. Required arguments are positional until the first optional argument of the definition; all later
 * arguments are written as `name=value`.
 */
export function printCustom({ definition, arguments: args }: CustomPipe, printer: Printer): string {
  let isPositional = true
  const written = definition.arguments.flatMap(({ name, isOptional }) => {
    isPositional &&= isOptional !== true
    const arg = args.find((each) => each.name === name)
    return arg === undefined ? [] : [`${isPositional ? '' : `${name}=`}${printArgument(arg, printer)}`]
  })
  return [definition.name, written.join(', ')].filter((part) => part !== '').join(' ')
}

function jsonOf({ type, value }: CustomArgument, context: LowerContext): JsonValue {
  if (isList(value)) return value.map(context.name)
  switch (type) {
    case 'number':
      return Number(parseNumber(value.text))
    case 'duration':
      return String(parseDurationNs(value.text) ?? 0n)
    case 'field':
      return context.name({ parts: [value.text], span: value.span })
    default:
      return value.text
  }
}

/** Runs a function of a definition. Errors that it throws get the position of the call. */
export function atCall<T>(definition: CustomPipeDefinition, origin: Origin, run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (error instanceof SluiceError) throw error
    return failCall(definition, origin, error instanceof Error ? error.message : String(error))
  }
}

function failCall({ name }: CustomPipeDefinition, origin: Origin, reason: string): never {
  throw new SluiceError([logDiagnostic('pipe-failed', { name, reason }, origin)])
}

function columnsOf(types: Readonly<Record<string, DataType>>): readonly Field[] {
  return Object.entries(types).map(([name, type]) => schemaField(name, type))
}

/** Members of a plan node that calls a user-defined function of one row or of all rows. */
interface Node {
  readonly input: LogicalPlan
  readonly fn: string
  readonly params: JsonValue
  readonly origin: Origin
}

function applied(
  body: RowsOf<Erased>,
  fields: ReturnType<NonNullable<RowsOf<Erased>['fields']>> | undefined,
  node: Node,
): LogicalPlan {
  const use =
    fields === undefined
      ? { reads: [anyField], writes: [anyField], replaces: [] }
      : { reads: named(...fields.reads), writes: named(...Object.keys(fields.writes)), replaces: [] }
  const outputs = fields === undefined ? [] : columnsOf(fields.writes)
  return { kind: 'apply', ...node, condition: undefined, use, outputs, isOneToOne: body.isOneToOne ?? false }
}

function tableApplied(columns: Readonly<Record<string, DataType>> | undefined, node: Node): LogicalPlan {
  const outputs = columns === undefined ? [] : columnsOf(columns)
  const writes = columns === undefined ? [anyField] : named(...Object.keys(columns))
  return {
    kind: 'table-apply',
    ...node,
    use: { reads: [anyField], writes, replaces: [] },
    outputs,
    keepsInputFields: false,
  }
}

/** Lowers a call of a user-defined pipe. A call that expands to text is lowered as the pipes in that text. */
export function lowerCustom(pipe: CustomPipe, input: LogicalPlan, context: LowerContext): LogicalPlan {
  const { definition } = pipe
  const { body } = definition
  const origin = context.at(pipe.span)
  const params = Object.fromEntries(pipe.arguments.map((arg) => [arg.name, jsonOf(arg, context)]))
  const args = argumentsFrom(definition, params)
  const node: Node = { input, fn: definition.name, params, origin }
  if ('rows' in body) {
    const fields = atCall(definition, origin, () => body.fields?.(args))
    return applied(body, fields, node)
  }
  if ('tables' in body) {
    const columns = atCall(definition, origin, () => (body as TablesOf<Erased>).columns?.(args))
    return tableApplied(columns, node)
  }
  if ('lower' in body) {
    const plan: unknown = atCall(definition, origin, () => body.lower(input, args, { origin }))
    return isPlan(plan) ? plan : failCall(definition, origin, 'it gave no plan')
  }
  return (pipe.expansion ?? []).reduce((below, inner) => context.pipe(inner, below), input)
}
