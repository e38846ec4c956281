import { useRef } from 'preact/hooks'

/** Returns a value, or the one before it while there is none: what is shown stays until the next answer is there. */
export function useLatest<T>(value: T | undefined): T | undefined {
  const latest = useRef(value)
  if (value !== undefined) latest.current = value
  return latest.current
}
