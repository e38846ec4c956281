import { useRef } from 'preact/hooks'

/**
 * Returns the value, or the previous one while it is `undefined`, so that results stay visible until new ones arrive.
 */
export function useLatest<T>(value: T | undefined): T | undefined {
  const latest = useRef(value)
  if (value !== undefined) latest.current = value
  return latest.current
}
