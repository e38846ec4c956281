import { createEngine } from '../../src/engine/index.ts'

/**
 * Processor time of queries over an array of objects: `npm run bench -- arrays [rows]`. "First" is the query that makes
 * the columns it needs, "then" the median of the following ones, "after a change" follows an assignment to a member of
 * one row. "By row" reads the same objects one by one from a generator.
 */
const rows = Number(process.argv[2] ?? 200_000)
const RUNS = 15

const cities = ['Bern', 'Basel', 'Rome', 'Paris', 'Lyon', 'Oslo', 'Wien']
const orders = (): readonly { total: number }[] =>
  Array.from({ length: rows }, (_, id) => ({
    id,
    city: cities[(id * 7919) % 7],
    total: ((id * 48_271) % 10_007) / 100,
    status: id % 20 === 0 ? 'failed' : 'paid',
    user: `user-${(id * 31) % 5003}`,
    note: `order ${id} shipped by truck ${id % 300}`,
    ship: { country: id % 3 === 0 ? 'CH' : 'IT', days: id % 9 },
  }))

const questions = [
  'total:>10 | stats by (city) sum(total) as total',
  'status:failed | stats by (user) count() as n | sort by (n desc) | limit 10',
  '* | stats by (ship.country) avg(ship.days) as days',
  '* | sort by (total desc) | limit 10',
  'truck 17 | stats count() as n',
]

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN
}

for (const text of questions) {
  const array = orders()
  const engine = createEngine({
    tables: {
      array,
      *byRow() {
        yield* array
      },
    },
    lint: 'off',
  })
  const timed = async (table: string): Promise<number> => {
    const before = process.cpuUsage()
    await engine.query(text, { table }).toArray()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
  const several = async (table: string, change: () => void = () => undefined): Promise<number> => {
    const times: number[] = []
    for (let run = 0; run < RUNS; run++) {
      change()
      times.push(await timed(table))
    }
    return median(times)
  }
  const byRow = await several('byRow')
  const first = await timed('array')
  const then = await several('array')
  let changed = 0
  const afterChange = await several('array', () => {
    const order = array[(changed++ * 7919) % rows]
    if (order !== undefined) order.total += 1
  })
  const ms = [first, then, afterChange, byRow].map((each) => `${each.toFixed(0)} ms`)
  console.log(`first ${ms[0]}  then ${ms[1]}  after a change ${ms[2]}  by row ${ms[3]}  ${text}`)
}
