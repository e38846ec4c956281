import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { batchOfRows, type RecordBatch } from '../../../src/data/index.ts'
import { canRedraw, outputNamed, RunningAnswer } from '../../../src/cli/output/index.ts'
import { nowhere, SluiceError } from '../../../src/base/index.ts'
import { engineDiagnostic } from '../../../src/engine/index.ts'
import { testTerminal } from '../terminal.ts'

const schema = { fields: [], isOpen: true }

function counted(count: number): RecordBatch {
  return batchOfRows(
    schema,
    Array.from({ length: count }, (_, i) => new Map([['n', i]])),
  )
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Returns a live answer that fetches its rows from `look` at each refresh. */
function running(look: () => RecordBatch | undefined, rows = 24) {
  const { terminal, told } = testTerminal({ isOutputTty: true, rows, nowMs: () => 0 })
  const answer = new RunningAnswer(terminal)
  const soFar = (): AsyncIterable<RecordBatch> | undefined => {
    const batch = look()
    return (
      batch &&
      (async function* () {
        yield batch
      })()
    )
  }
  answer.start({ schema, soFar }, () =>
    outputNamed('table', { dialect: 'native', textField: 'content', color: 'never', isRunning: true }, terminal),
  )
  return { answer, told }
}

describe('a running answer', () => {
  test('is drawn every second in the place of the last, and taken away at the end', async () => {
    let rows = 0
    const { answer, told } = running(() => counted(++rows))
    await vi.advanceTimersByTimeAsync(999)
    expect(told.out).toBe('')
    await vi.advanceTimersByTimeAsync(1)
    expect(told.out).toBe('n\u001b[K\n-\u001b[K\n0\u001b[K\n(1 row so far)\u001b[K\n\u001b[J')
    told.out = ''
    await vi.advanceTimersByTimeAsync(1000)
    expect(told.out).toBe('\r\u001b[4An\u001b[K\n-\u001b[K\n0\u001b[K\n1\u001b[K\n(2 rows so far)\u001b[K\n\u001b[J')
    told.out = ''
    await answer.end()
    await vi.advanceTimersByTimeAsync(5000)
    expect(told.out).toBe('\r\u001b[5A\u001b[J')
    expect(rows).toBe(2)
  })

  test('is not higher than the terminal', async () => {
    const { answer, told } = running(() => counted(100), 10)
    await vi.advanceTimersByTimeAsync(1000)
    expect(told.out.split('\n')).toHaveLength(10)
    expect(told.out).toContain('(100 rows so far; the first 6 shown)')
    await answer.end()
  })

  test('shows nothing where nobody can tell, and no more after a limit', async () => {
    const { answer, told } = running(() => undefined)
    await vi.advanceTimersByTimeAsync(3000)
    await answer.end()
    expect(told.out).toBe('')
    let looks = 0
    const limited = running(() => {
      looks++
      throw new SluiceError([engineDiagnostic('answer-cut', { limit: 1 }, nowhere)])
    })
    await vi.advanceTimersByTimeAsync(5000)
    await limited.answer.end()
    expect(looks).toBe(1)
    const broken = running(() => {
      throw new TypeError('a fault')
    })
    await vi.advanceTimersByTimeAsync(5000)
    await expect(broken.answer.end()).rejects.toThrow('a fault')
  })

  test('needs a terminal that can write over what stands there', () => {
    const on = (given: object): boolean => canRedraw(testTerminal({ isOutputTty: true, ...given }).terminal)
    expect(on({})).toBe(true)
    expect(on({ isOutputTty: false })).toBe(false)
    expect(on({ env: { TERM: 'dumb' } })).toBe(false)
  })
})
