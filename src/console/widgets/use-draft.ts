import { useEffect, useRef, useState } from 'preact/hooks'
import type { SetText } from './query-editor.tsx'

/** A text that the user edits, and that the link sets when it changes. */
export interface Draft {
  /** The text of the editor, for its `value`. */
  readonly value: SetText
  /** Returns what the user has typed. */
  readonly text: () => string
  readonly onChange: (text: string) => void
  /** Replaces the text as one step that undo takes back. */
  readonly write: (text: string) => void
}

/** Keeps the draft of a text of the link. Only a change of the link replaces what was typed. */
export function useDraft(linked: string): Draft {
  const typed = useRef(linked)
  const [value, setValue] = useState<SetText>({ text: linked })
  const write = (text: string): void => {
    typed.current = text
    setValue({ text })
  }
  useEffect(() => {
    if (typed.current !== linked) write(linked)
  }, [linked])
  return { value, text: () => typed.current, onChange: (text) => (typed.current = text), write }
}
