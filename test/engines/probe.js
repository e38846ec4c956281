/** Uses each sub-path that must run everywhere. Prints the same results on every release of Node and in a browser. */
import { createEngine, createMemoryStore, rowToJson, rowsOf, standardCatalog } from 'sluice'
import { createJson } from 'sluice/json'
import { format, parse, print } from 'sluice/lang'
import { parsePromql, printPromql } from 'sluice/promql'

console.log(format('level:error|limit 5 # newest'))
console.log(print(parse('level:error  and x').ast))
console.log(JSON.stringify(createJson(createEngine()).fromText('level:error | limit 5', { nowNs: 0n })))
console.log(printPromql(parsePromql('sum by(job)(rate(hits_total[5m]))').ast))

// More rows than a segment of the store holds, so that columns are sealed, and texts outside ASCII.
const words = ['pool exhausted', 'connexion refusée', 'slow query', '接続が切れました', 'timed out']
const levels = ['info', 'info', 'warn', 'error']
const lines = Array.from({ length: 70_000 }, (_, i) =>
  JSON.stringify({
    _time: new Date(1_773_000_000_000 + i * 1000).toISOString(),
    level: levels[i % 4],
    workload: `w${i % 7}`,
    content: `${words[i % 5]} after ${i % 1000} ms`,
    duration_ms: i % 100 === 0 ? 'none' : i / 8,
    big: `90071992547409${10 + (i % 80)}`,
  }),
)
const store = createMemoryStore(standardCatalog)
store.table('logs').writer.appendJsonLines(new TextEncoder().encode(lines.join('\n')), { nowNs: 0n })
store.table('logs').seal()
const engine = createEngine({ tables: [...store.tables.values()] })
for (const query of [
  'level:error pool | stats by (workload) count() as n, avg(duration_ms) as mean | sort by (workload)',
  '"refusée after 1" | sort by (_time) | fields _time, content, duration_ms | limit 3',
  'content:~"切れ.*9{2} ms$" | stats count() as n, count_uniq(workload) as w, max(big) as big',
  '* | stats by (_time:6h, level) quantile(0.9, duration_ms) as q | sort by (_time, level) | limit 5',
  'workload:in(level:warn timed | fields workload) | top 3 by (workload)',
  '* | join by (workload) (level:error | stats by (workload) count() as errors) | stats sum(errors) as s',
  '* | extract "after <ms> ms" from content | math ms * 2 as twice | stats sum(twice) as s, min(ms) as least',
]) {
  for await (const batch of engine.query(query).batches()) for (const row of rowsOf(batch)) console.log(rowToJson(row))
}
