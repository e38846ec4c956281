import { useEffect, useRef, useState } from 'preact/hooks'
import type { JSX } from 'preact'
import type { PlainJson } from '../../data/index.ts'
import { QueryEditor, type SetText } from '../widgets/query-editor.tsx'
import { valueAt } from './model.ts'
import type { InputProps } from './spec-form.tsx'

/** Tables by the kind of data that a query names, for completion and checks. */
const tables: Readonly<Record<string, string>> = {
  logs: 'logs',
  traces: 'spans',
  apm: 'spans',
  events: 'events',
  workloads: 'workloads',
  clusters: 'clusters',
}

/** The text of a query: in the code editor if it reads rows, else in a text area. */
export function QueryField(props: InputProps & { readonly query: PlainJson | undefined }): JSX.Element {
  const { id, text, describedBy, isFaulty, onText, query } = props
  const typed = useRef(text)
  const [set, setSet] = useState<SetText>({ text })
  useEffect(() => {
    // A fix, another version or an undo has changed the text elsewhere.
    if (typed.current === text) return
    typed.current = text
    setSet({ text })
  }, [text])
  const kind = valueAt(query, ['dataType'])
  const table = typeof kind === 'string' ? tables[kind.trim().toLowerCase()] : undefined
  const change = (next: string): void => {
    typed.current = next
    onText(next)
  }
  if (table === undefined)
    return (
      <textarea
        id={id}
        class="code"
        rows={Math.min(12, text.split('\n').length)}
        spellcheck={false}
        aria-describedby={describedBy}
        aria-invalid={isFaulty}
        value={text}
        onInput={(event) => change(event.currentTarget.value)}
      />
    )
  return <QueryEditor value={set} table={table} dialect="native" onChange={change} onRun={() => undefined} />
}
