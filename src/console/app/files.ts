import { signal } from '@preact/signals'
import { failureOf } from '../ask/ask-error.ts'
import type { Ask } from '../ask/client.ts'
import type { LoadState } from '../ask/requests.ts'
import { setParams } from './location.ts'

/** Load state of the opened files; `undefined` before the first one is opened. */
export const loadState = signal<LoadState | undefined>(undefined)

const nothingRead: LoadState = {
  bytes: 0,
  totalBytes: 0,
  rows: 0,
  badLines: 0,
  notices: [],
  isDone: true,
  range: undefined,
}

/** Names of the files that were opened. */
export const fileNames = signal<readonly string[]>([])

/** Incremented when new rows can be searched. */
export const loads = signal(0)

let reading: AbortController | undefined

export function stopReading(): void {
  reading?.abort()
}

/** Number of rows after which the first rows are shown; more than fit in a window. */
const FIRST_ROWS = 200

/**
 * Time after which the first rows are shown even if there are fewer than `FIRST_ROWS`, as in files with long rows, ms.
 */
const FIRST_ROWS_MS = 200

/** Reads the files that the command `open` serves together with the page. */
export async function openListed(ask: Ask): Promise<void> {
  const notices: string[] = []
  try {
    const answer = await fetch('files.json')
    const listed = (await answer.json()) as readonly { readonly name: string; readonly modifiedMs: number }[]
    for (const [i, { name, modifiedMs }] of listed.entries()) {
      try {
        const sent = await fetch(`files/${i}`)
        if (!sent.ok) throw new Error('it is gone')
        await openFiles(ask, [new File([await sent.blob()], name, { lastModified: modifiedMs })])
      } catch (error) {
        notices.push(`${name} cannot be read: ${failureOf(error).message}.`)
      }
    }
  } catch (error) {
    notices.push(`The command that lists the files does not answer: ${failureOf(error).message}`)
  }
  if (notices.length > 0) loadState.value = { ...(loadState.peek() ?? nothingRead), notices }
}

/** Reads files into the page. Sets the time range to that of the rows, after the first rows and again at the end. */
export async function openFiles(ask: Ask, files: readonly File[]): Promise<void> {
  if (files.length === 0) return
  const { signal: ended } = (reading = new AbortController())
  fileNames.value = [...fileNames.peek(), ...files.map(({ name }) => name)]
  const show = ({ range }: LoadState): void => {
    if (range !== undefined)
      setParams({ from: new Date(range.startMs).toISOString(), to: new Date(range.endMs).toISOString() }, 'same')
    loads.value++
  }
  let hasShown = false
  const startMs = performance.now()
  try {
    const state = await ask(
      'load',
      { files },
      {
        signal: ended,
        onEvent: (sofar) => {
          loadState.value = sofar
          const isEnough = sofar.rows >= FIRST_ROWS || performance.now() - startMs > FIRST_ROWS_MS
          if (hasShown || !isEnough || sofar.range === undefined) return
          hasShown = true
          show(sofar)
        },
      },
    )
    loadState.value = state
    show(state)
  } catch (error) {
    const before = loadState.peek()
    const { kind, message } = failureOf(error)
    if (before === undefined) return
    const notices = kind === 'cancelled' ? before.notices : [...before.notices, message]
    loadState.value = { ...before, notices, isDone: true }
    show(before)
  }
}
