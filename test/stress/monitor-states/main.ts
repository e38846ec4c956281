import { seededRandom } from '../../../src/base/index.ts'
import { compareWithModel, failureText, shortest } from '../../alerting/instances/compare.ts'
import { drawHistory } from '../../alerting/instances/histories.ts'
import { roundsFor, StressMisuse, type StressRun } from '../run.ts'

/** Number of histories between two readings of the clock. */
const ROUND = 1000
/** Largest number of failing histories that are printed. */
const MOST_SHOWN = 5

function numberOfHistories(text: string | undefined): number {
  const count = Number(text ?? Infinity)
  if (!(count >= 1)) throw new StressMisuse(`--histories takes a number of at least 1, not ${JSON.stringify(text)}`)
  return count
}

/**
 * Compares the state machine of monitors with the reference model over random histories. `--histories N` stops after
 * that many.
 */
export const stress: StressRun = {
  seconds: 180,
  options: { histories: 'value' },
  run({ seed, seconds, values, print }) {
    const most = numberOfHistories(values.get('histories'))
    const random = seededRandom(seed)
    const hasTime = roundsFor(seconds)
    let [histories, ticks, faults] = [0, 0, 0]
    while (histories < most && (histories % ROUND > 0 || hasTime(histories))) {
      const history = drawHistory(random)
      histories++
      ticks += history.length
      if (compareWithModel(history) === undefined) continue
      if (faults++ < MOST_SHOWN) print(failureText(shortest(history)))
    }
    print(`${histories} histories with ${ticks} ticks, ${faults} differ from the model`)
    return Promise.resolve(faults > 0 ? 1 : 0)
  },
}
