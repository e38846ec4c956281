import { useEffect, useRef } from 'preact/hooks'
import type { JSX } from 'preact'
import { texts } from '../app/texts.ts'
import { useServices } from '../app/services.ts'
import type { QueryLanguage } from '../ask/requests.ts'
import type { CodeEditor, EditorLanguage } from '../editor/code-editor.ts'

/** Text that the page sets. A new object sets the text again, even if it is equal. */
export interface SetText {
  readonly text: string
}

interface Props {
  readonly value: SetText
  readonly table: string
  readonly dialect: QueryLanguage
  /** Label of the input. Default: the label for queries over rows. */
  readonly label?: string
  readonly placeholder?: string
  /** Language service that highlights, checks and completes the text. Default: that of queries over rows. */
  readonly language?: EditorLanguage
  readonly onChange: (text: string) => void
  readonly onRun: () => void
}

/**
 * Query input: first a plain text area, then the code editor once it is loaded. The input owns its text and reports
 * changes by `onChange`, so that no late rendering overwrites it. A new `value` replaces the text in one undoable step.
 */
export function QueryEditor({ value, table, dialect, onChange, onRun, ...props }: Props): JSX.Element {
  const services = useServices()
  const { label = texts.query.label, placeholder = texts.query.placeholder, language = services.language } = props
  const host = useRef<HTMLDivElement>(null)
  const plain = useRef<HTMLTextAreaElement>(null)
  const editor = useRef<CodeEditor>(undefined)
  const latest = useRef({ table, dialect, onChange, onRun })
  latest.current = { table, dialect, onChange, onRun }

  useEffect(() => {
    let isGone = false
    void import('../editor/code-editor.ts').then(({ CodeEditor }) => {
      if (isGone || host.current === null || plain.current === null) return
      const area = plain.current
      const hadFocus = document.activeElement === area
      editor.current = new CodeEditor(host.current, {
        text: area.value,
        label,
        placeholder,
        language,
        target: () => latest.current,
        onChange: (text) => latest.current.onChange(text),
        onRun: () => latest.current.onRun(),
      })
      area.hidden = true
      if (hadFocus) editor.current.focus(area.selectionStart)
    })
    return () => {
      isGone = true
      editor.current?.close()
    }
  }, [])
  useEffect(() => {
    if (plain.current !== null) plain.current.value = value.text
    editor.current?.setText(value.text)
  }, [value])

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    onRun()
  }
  return (
    <div class="query-editor">
      <div ref={host} />
      <textarea
        ref={plain}
        rows={1}
        aria-label={label}
        placeholder={placeholder}
        spellcheck={false}
        onInput={(event) => onChange(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
    </div>
  )
}
