/** A protocol that ingests rows. */
export interface Protocol {
  readonly name: string
  readonly path: string
  readonly type: string
  /** Returns a body with the numbered rows of a batch. Each row has the fields `batch`, `row` and `content`. */
  readonly body: (batch: string, rows: number) => string
}

interface SentRow {
  readonly content: string
  readonly batch: string
  readonly row: number
  readonly level: string
}

function rowsOf(batch: string, rows: number): readonly SentRow[] {
  return Array.from({ length: rows }, (_, row) => ({ content: `row ${row} of ${batch}`, batch, row, level: 'info' }))
}

const linesOf = (values: readonly unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('')

export const jsonLines: Protocol = {
  name: 'JSON lines',
  path: '/api/ingest/logs',
  type: 'application/x-ndjson',
  body: (batch, rows) => linesOf(rowsOf(batch, rows)),
}

function otlpRecord({ content, batch, row }: SentRow): unknown {
  const attributes = [
    { key: 'batch', value: { stringValue: batch } },
    { key: 'row', value: { intValue: `${row}` } },
  ]
  return { timeUnixNano: `${BigInt(Date.now()) * 1_000_000n}`, body: { stringValue: content }, attributes }
}

/** Protocols that store every row of a body or none, or report which rows they refused. */
export const protocols: readonly Protocol[] = [
  jsonLines,
  {
    name: 'JSON array',
    path: '/api/ingest/logs',
    type: 'application/json',
    body: (batch, rows) => JSON.stringify(rowsOf(batch, rows)),
  },
  {
    name: 'CSV',
    path: '/api/ingest/logs',
    type: 'text/csv',
    body: (batch, rows) =>
      ['content,batch,row', ...rowsOf(batch, rows).map(({ content, row }) => `${content},${batch},${row}`), ''].join(
        '\n',
      ),
  },
  {
    name: 'Elasticsearch bulk',
    path: '/_bulk',
    type: 'application/x-ndjson',
    body: (batch, rows) => linesOf(rowsOf(batch, rows).flatMap((row) => [{ create: { _index: 'soak' } }, row])),
  },
  {
    name: 'Loki push',
    path: '/loki/api/v1/push',
    type: 'application/json',
    body: (batch, rows) => {
      const values = rowsOf(batch, rows).map(({ content, row }) => [
        `${BigInt(Date.now()) * 1_000_000n}`,
        content,
        { row: `${row}` },
      ])
      return JSON.stringify({ streams: [{ stream: { batch }, values }] })
    },
  },
  {
    name: 'OTLP logs',
    path: '/v1/logs',
    type: 'application/json',
    body: (batch, rows) => {
      const logRecords = rowsOf(batch, rows).map(otlpRecord)
      return JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] })
    },
  },
  {
    name: 'Splunk collector',
    path: '/services/collector/event',
    type: 'application/json',
    body: (batch, rows) =>
      linesOf(rowsOf(batch, rows).map(({ content, row }) => ({ event: content, fields: { batch, row } }))),
  },
  {
    name: 'Datadog logs',
    path: '/api/v2/logs',
    type: 'application/json',
    body: (batch, rows) =>
      JSON.stringify(rowsOf(batch, rows).map(({ content, row }) => ({ message: content, batch, row }))),
  },
]
