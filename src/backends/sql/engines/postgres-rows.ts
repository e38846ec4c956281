import type { Client, ClientConfig } from 'pg'
import { present } from '../../../base/index.ts'
import type { SqlValue } from '../../../store/sqlite/index.ts'
import type { ForeignBatch, ForeignForm, ForeignValue } from '../foreign/engine.ts'
import type { SqlParameter } from '../statement/params.ts'

/** Client setting that returns every value as the server's string, so that nothing is rounded. */
const asText: NonNullable<ClientConfig['types']> = { getTypeParser: () => (text: string) => text }

export interface RawRows {
  readonly rows: readonly (readonly (string | null)[])[]
}

export async function rowsOf(
  client: Client,
  text: string,
  values: readonly (string | null)[] = [],
): Promise<RawRows['rows']> {
  const answer: RawRows | readonly RawRows[] = await client.query<(string | null)[]>({
    text,
    values: [...values],
    rowMode: 'array',
    types: asText,
  })
  // If one string holds several statements, the client returns a list of answers, none of which has rows.
  return 'rows' in answer ? answer.rows : []
}

function parameterText(value: SqlValue): string | null {
  if (value === null || typeof value === 'string') return value
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value)
  if (typeof value === 'bigint') return String(value)
  return `\\x${Buffer.from(value).toString('hex')}`
}

export function parameterTexts(parameters: readonly SqlParameter[]): readonly (string | null)[] {
  return parameters.map((parameter) => {
    if (parameter.kind === 'program') throw new TypeError('PostgreSQL has no host functions')
    return parameterText(parameter.value)
  })
}

const readers: { readonly [F in ForeignForm]: (text: string) => ForeignValue } = {
  text: (text) => text,
  json: (text) => text,
  double: Number,
  int64: BigInt,
  bool: (text) => text === 't',
}

export function batchOf(rows: RawRows['rows'], forms: readonly ForeignForm[]): ForeignBatch {
  const columns = forms.map((form, at) => {
    const read = readers[form]
    return rows.map((row) => {
      const text = present(row[at])
      return text === null ? null : read(text)
    })
  })
  return { rowCount: rows.length, columns }
}
