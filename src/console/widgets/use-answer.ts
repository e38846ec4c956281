import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { dataChanges } from '../app/services.ts'
import { failureOf } from '../ask/ask-error.ts'
import type { AskFailure } from '../ask/requests.ts'

export interface Answered<T> {
  /** The latest answer. It remains while a newer one is loading. */
  readonly answer: T | undefined
  readonly failure: AskFailure | undefined
  readonly reload: () => void
}

/**
 * Loads an answer when one of `inputs` or the backend changes, and again every `everyMs` while the page is visible. A
 * new request cancels the previous one.
 */
export function useAnswer<T>(
  load: (signal: AbortSignal) => Promise<T>,
  inputs: readonly unknown[],
  everyMs?: number,
): Answered<T> {
  const [{ answer, failure }, setState] = useState<Omit<Answered<T>, 'reload'>>({
    answer: undefined,
    failure: undefined,
  })
  const running = useRef<AbortController>(undefined)
  const reload = useCallback((): void => {
    running.current?.abort()
    const { signal } = (running.current = new AbortController())
    load(signal).then(
      (found) => {
        if (!signal.aborted) setState({ answer: found, failure: undefined })
      },
      (error: unknown) => {
        if (!signal.aborted) setState((before) => ({ ...before, failure: failureOf(error) }))
      },
    )
  }, [...inputs, dataChanges.value])
  useEffect(() => {
    setState({ answer: undefined, failure: undefined })
    reload()
    const timer =
      everyMs === undefined ? undefined : setInterval(() => document.visibilityState === 'visible' && reload(), everyMs)
    return () => {
      clearInterval(timer)
      running.current?.abort()
    }
  }, [reload])
  return { answer, failure, reload }
}
