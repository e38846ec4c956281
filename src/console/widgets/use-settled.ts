import { useEffect, useState } from 'preact/hooks'

/** Pause in milliseconds after which somebody who types waits for an answer. */
const TYPING_PAUSE_MS = 300

/** Returns a text once it has not changed for a moment, so that not every key press asks a question. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
