import { present } from '../../../base/index.ts'
import { recordHash } from '../../../data/index.ts'
import type { Sample } from '../../../plan/index.ts'
import type { Frame } from '../frame.ts'
import { again, type OperatorFactory } from '../operator.ts'
import { mergeOrder } from '../keys/merge-order.ts'
import { blocking, pieces } from '../blocking.ts'
import { Collector } from '../collect.ts'

/** Rows that are not stored records are told apart by their place in the input. */
function hashOf(frame: Frame, row: number, place: number): number {
  const { identity } = frame
  const timeNs = identity?.timeNs(row)
  return timeNs === undefined || identity === undefined
    ? recordHash(0n, place)
    : recordHash(timeNs, identity.sequence(row))
}

export const sampleOperator: OperatorFactory<Sample> = ({ node, inputs: [input], context }) => {
  if (node.mode === 'one-in') {
    let place = 0
    return {
      pull() {
        const frame = input.pull(context.query.batchRows)
        if (frame === undefined || frame === again) return frame
        const rows: number[] = []
        for (let row = 0; row < frame.rowCount; row++) {
          if (hashOf(frame, row, place++) % node.n === 0) rows.push(row)
        }
        return rows.length === 0 ? again : frame.take(Uint32Array.from(rows))
      },
    }
  }
  const collector = new Collector(input, context)
  return blocking(
    () => collector.step(),
    function* () {
      const frame = collector.all()
      const hashes = Float64Array.from({ length: frame.rowCount }, (_, row) => hashOf(frame, row, row))
      const byHash = yield* mergeOrder(frame.rowCount, (a, b) => present(hashes[a]) - present(hashes[b]))
      return pieces(frame.take(byHash.slice(0, node.n).sort()))
    },
  )
}
