import { useEffect, useRef, useState } from 'preact/hooks'
import type { SetText } from './query-editor.tsx'

/** A text that the user edits. A change of the URL replaces it. */
export interface Draft {
  /** Text for the `value` of the editor. */
  readonly value: SetText
  /** Returns what the user has typed. */
  readonly text: () => string
  readonly onChange: (text: string) => void
  /** Replaces the text in one undoable step. */
  readonly write: (text: string) => void
}

/**
 * Returns the draft of a text in the URL. Only a change of the URL replaces the typed text. Each `language` has a draft
 * of its own.
 */
export function useDraft(linked: string, language = ''): Draft {
  const typed = useRef(linked)
  const [value, setValue] = useState<SetText>({ text: linked })
  const write = (text: string): void => {
    typed.current = text
    setValue({ text })
  }
  useEffect(() => {
    if (typed.current !== linked) write(linked)
  }, [linked, language])
  return { value, text: () => typed.current, onChange: (text) => (typed.current = text), write }
}
