import { answerOf } from '../answer.ts'
import { backendNames } from '../subject.ts'
import type { Oracle } from './oracle.ts'

/** The rows of a filter and the rows of its negation together are all rows: filters have no third truth value. */
export const partitionsAddUp: Oracle = {
  name: 'partitions-add-up',
  check: async ({ query, subject, random }) => {
    if (query.filter === '*') return undefined
    const backend = random.pick(backendNames)
    const rowsOf = async (text: string): Promise<readonly string[] | undefined> => {
      const answer = await answerOf(() => subject.query(text, backend))
      return 'rows' in answer ? answer.rows : undefined
    }
    const kept = await rowsOf(query.filter)
    const dropped = await rowsOf(`!(${query.filter})`)
    const all = await rowsOf('*')
    if (kept === undefined || dropped === undefined || all === undefined) return undefined
    const together = [...kept, ...dropped].sort()
    return JSON.stringify(together) === JSON.stringify([...all].sort())
      ? undefined
      : `${backend}: ${kept.length} rows pass, ${dropped.length} do not, ${all.length} are there`
  },
}
