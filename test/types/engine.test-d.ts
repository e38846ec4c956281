import { expectTypeOf } from 'vitest'
import {
  createEngine,
  type Backend,
  type Diagnostic,
  type Engine,
  type EngineOptions,
  type ExplainTree,
  type QueryOptions,
  type PlainRow,
  type QueryResult,
  type RecordBatch,
  type Row,
  type Value,
} from '../../src/entries/sluice.ts'
import { createJson } from '../../src/entries/json.ts'

declare const backend: Backend
declare const engine: Engine
declare const result: QueryResult

// An engine without backends can plan and check queries.
expectTypeOf(createEngine).parameter(0).toEqualTypeOf<EngineOptions | undefined>()
expectTypeOf(createEngine({ backends: [backend] })).toEqualTypeOf<Engine>()
expectTypeOf(createEngine()).toEqualTypeOf<Engine>()

// Creating a query is synchronous; reading its rows is not.
expectTypeOf(engine.query('*')).toEqualTypeOf<QueryResult>()
expectTypeOf(result.batches()).toEqualTypeOf<AsyncIterable<RecordBatch>>()
expectTypeOf(result.rows()).toEqualTypeOf<AsyncIterable<PlainRow>>()
expectTypeOf(result.toArray()).resolves.toEqualTypeOf<PlainRow[]>()
expectTypeOf(result.diagnostics).toEqualTypeOf<readonly Diagnostic[]>()
expectTypeOf(result.explain()).toEqualTypeOf<ExplainTree>()

// The caller declares the type of a query's rows.
interface Order {
  readonly city: string
  readonly total: number
}
expectTypeOf(engine.query<Order>('* | fields city, total').toArray()).resolves.toEqualTypeOf<Order[]>()
expectTypeOf(engine.query<Order>('*').rows()).toEqualTypeOf<AsyncIterable<Order>>()
expectTypeOf(createJson(engine).query<Order>({}).toArray()).resolves.toEqualTypeOf<Order[]>()
// @ts-expect-error -- a row is an object
engine.query<string>('*')

// Rows of batches are maps, because users choose the field names. Answers are read-only.
expectTypeOf<Row>().toEqualTypeOf<ReadonlyMap<string, Value>>()
// @ts-expect-error -- a row is read-only
void ((row: Row) => row.set('a', 1))

// Methods that only inspect a query are synchronous.
expectTypeOf(engine.check('*')).toEqualTypeOf<readonly Diagnostic[]>()
expectTypeOf(engine.format('*')).toEqualTypeOf<string>()
expectTypeOf(engine.explain('*')).toEqualTypeOf<ExplainTree>()

// There are two dialects.
expectTypeOf<QueryOptions['dialect']>().toEqualTypeOf<'native' | 'logsql' | undefined>()
// @ts-expect-error -- there is no such dialect
engine.query('*', { dialect: 'sql' })
// @ts-expect-error -- a limit is a number
engine.query('*', { limits: { memoryBytes: '1 GiB' } })
