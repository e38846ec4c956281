import { useEffect, useState } from 'preact/hooks'

/** Pause in typing after which a request is sent, ms. */
const TYPING_PAUSE_MS = 300

/** Returns a text once it has not changed for a moment, so that not every key press sends a request. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
