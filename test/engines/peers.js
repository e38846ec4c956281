// Asks the packages that applications bring along; prints a line for each.
import { assert, property, sample } from 'fast-check'
import { openCatalog } from 'sluice/catalog'
import { dataSets, logQueries, queryText } from 'sluice/fuzz'
import { parse } from 'sluice/lang'
import { openSqlite } from 'sluice/sqlite'

assert(property(logQueries(), (query) => parse(queryText(query)).ast !== undefined))
console.log('fast-check', sample(dataSets(), 1).length)

const catalog = await openCatalog('connections: { a: { engine: duckdb } }\ntables: { logs: { files: logs.ndjson } }', {})
console.log('duckdb', JSON.stringify(await catalog.engine().query('level:error | stats count() as n').toArray()))
await catalog.close()

const others = await Promise.all(['pg', '@clickhouse/client', '@grpc/grpc-js'].map((name) => import(name)))
console.log('others', others.every((each) => Object.keys(each).length > 3))

const answer = await openSqlite(':memory:').then(
  (connection) => connection.prepare('SELECT 1').pluck().get(),
  ({ code }) => code,
)
console.log('better-sqlite3', String(answer))
