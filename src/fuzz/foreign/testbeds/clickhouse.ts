import { openEngine } from '../../../backends/sql/index.ts'
import { enumTexts } from '../layout.ts'
import { statementsOf, type OpenTestbed, type StoredValue, type Testbed } from '../testbed.ts'

function quotedText(given: string): string {
  return `'${given.replaceAll('\\', '\\\\').replaceAll(`'`, `\\'`)}'`
}

const plain = (value: StoredValue): string => String(value)
const text = (value: StoredValue): string => quotedText(String(value))

function number(value: StoredValue): string {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf'
  }
  return String(value)
}

const whole = (value: StoredValue): string => `toInt64(${quotedText(String(value))})`
const nanoseconds = "DateTime64(9, 'UTC')"

const types: Testbed['types'] = {
  text: { declared: 'String', literal: text },
  enum: {
    declared: `Enum8(${enumTexts.map((each, i) => `${quotedText(each)} = ${i}`).join(', ')})`,
    literal: text,
  },
  double: { declared: 'Float64', literal: number, hasNaN: true },
  integer: { declared: 'Int64', literal: whole },
  bool: { declared: 'Bool', literal: plain },
  map: {
    declared: 'Map(String, String)',
    literal: (value) => {
      const members = Object.entries(JSON.parse(String(value)) as Readonly<Record<string, string>>)
      return `map(${members.flat().map(quotedText).join(', ')})`
    },
  },
  'time-type': {
    declared: nanoseconds,
    literal: (value) => `parseDateTime64BestEffort(${text(value)}, 9, 'UTC')`,
    stepNs: 1n,
  },
  'time-s': { declared: 'Int64', literal: whole },
  'time-ms': { declared: 'Int64', literal: whole },
  'time-us': { declared: 'Int64', literal: whole },
  'time-ns': { declared: 'Int64', literal: whole },
}

function identifier(name: string): string {
  return `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``
}

/**
 * Adapts a `CREATE TABLE` to ClickHouse: the type of a nullable column is `Nullable(…)`, and a table needs an engine.
 */
function spelled(statement: string): string {
  if (!statement.startsWith('CREATE TABLE')) return statement
  return `${statement.replace(/\)$/, '')}) ENGINE = MergeTree ORDER BY tuple()`
}

async function open(): Promise<OpenTestbed | undefined> {
  const named = process.env['SLUICE_TEST_CLICKHOUSE_URL']
  if (named === undefined) return undefined
  const { origin, username, password } = new URL(named)
  const [name, key] = [decodeURIComponent(username) || 'default', decodeURIComponent(password)]
  const execute = async (sql: string): Promise<void> => {
    const headers = { 'X-ClickHouse-User': name, 'X-ClickHouse-Key': key }
    const response = await fetch(origin, { method: 'POST', body: sql, headers })
    const body = await response.text()
    if (!response.ok) throw new Error(body)
  }
  await execute('CREATE DATABASE IF NOT EXISTS sluice_fuzz')
  const engine = await openEngine({
    name: 'clickhouse',
    url: origin,
    user: name,
    password: key,
    database: 'sluice_fuzz',
  })
  return {
    create: async (table) => {
      const inDatabase = (given: string): string =>
        given === table.name ? `sluice_fuzz.${identifier(given)}` : identifier(given)
      let texts = 0
      const nullable = (declared: string, isNullable: boolean): string => {
        const type = isNullable && !declared.startsWith('Map') ? `Nullable(${declared})` : declared
        return declared === 'String' && texts++ % 3 === 1 ? `LowCardinality(${type})` : type
      }
      for (const statement of statementsOf(table, types, inDatabase, nullable)) await execute(spelled(statement))
      return { engine, source: { kind: 'table', path: ['sluice_fuzz', table.name] } }
    },
    close: () => engine.close(),
  }
}

/** The ClickHouse server at `SLUICE_TEST_CLICKHOUSE_URL`. */
export const clickhouseTestbed: Testbed = {
  name: 'clickhouse',
  types,
  words: { kind: 'text' },
  open,
  advice: 'needs a server that `SLUICE_TEST_CLICKHOUSE_URL` names',
}
