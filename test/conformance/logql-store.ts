import { collect, runToEnd } from '../../src/base/index.ts'
import { Instant, field, type RecordBatch, type Row } from '../../src/data/index.ts'
import { createEngine, readRows, type Engine } from '../../src/engine/index.ts'
import { logqlTableOf } from '../../src/engine/logql/index.ts'
import { readPushJson } from '../../src/ingest/loki/index.ts'
import type { LogqlTable } from '../../src/lang/logql/index.ts'
import type { LogicalPlan, RecordTableDefinition } from '../../src/plan/index.ts'
import { createMemoryStore } from '../../src/store/index.ts'
import type { Interval } from '../../src/base/index.ts'

/** A log entry in the form in which it was pushed to the reference implementation. */
interface Pushed {
  readonly ts: string
  readonly labels: Readonly<Record<string, string>>
  readonly meta?: Readonly<Record<string, string>>
  readonly line: string
}

const STREAM_FIELDS = ['app', 'env', 'host', 'level', 'namespace', 'pod']

const definition: RecordTableDefinition = {
  name: 'logs',
  schema: {
    isOpen: true,
    fields: [field('_time', 'time'), ...STREAM_FIELDS.map((name) => field(name, 'string')), field('content', 'string')],
  },
  timeField: '_time',
  textField: 'content',
  aliases: new Map(),
  streamFields: STREAM_FIELDS,
  domain: 'logs',
}

/** An engine over the entries that were pushed to the reference implementation. */
export class LogqlStore {
  readonly engine: Engine
  readonly table: LogqlTable = logqlTableOf(definition, [])

  constructor(data: string) {
    const store = createMemoryStore({ tables: new Map([['logs', definition]]), defaultTable: 'logs' })
    const known = new Set<string>()
    const streams = data
      .split('\n')
      .filter((line) => line !== '')
      .flatMap((text) => {
        const { ts, labels, line, meta } = JSON.parse(text) as Pushed
        // The reference implementation stores an entry that is sent twice only once; Sluice stores both.
        const key = JSON.stringify([labels, ts, line, meta])
        if (known.has(key)) return []
        known.add(key)
        return [{ stream: labels, values: [[ts, line, meta ?? {}]] }]
      })
    const { rows } = runToEnd(readPushJson({ streams }, false))
    const stored = rows.map((row) => {
      const time = row.get('_time')
      return { timeNs: time instanceof Instant ? time.ns : 0n, row }
    })
    store.table('logs').writer.appendRows(stored)
    this.engine = createEngine({ tables: [...store.tables.values()] })
  }

  batches(plan: LogicalPlan, range: Interval): AsyncIterable<RecordBatch> {
    return this.engine.queryPlan(plan, { range, dialect: 'logsql', lint: 'off' }).batches()
  }

  rows(plan: LogicalPlan, range: Interval): Promise<readonly Row[]> {
    return collect(readRows(this.batches(plan, range)))
  }
}
