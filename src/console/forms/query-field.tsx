import { useEffect, useRef, useState } from 'preact/hooks'
import type { JSX } from 'preact'
import type { PlainJson } from '../../data/index.ts'
import { QueryEditor, type SetText } from '../widgets/query-editor.tsx'
import { valueAt } from './model.ts'
import type { InputProps } from './input.ts'

/** Tables by the kind of data that a query names, for completion and checks. */
const tables: Readonly<Record<string, string>> = {
  logs: 'logs',
  traces: 'spans',
  apm: 'spans',
  events: 'events',
  workloads: 'workloads',
  clusters: 'clusters',
}

interface Props extends InputProps {
  /** The query that has the text. */
  readonly query: PlainJson | undefined
  /** A text that the page sets, such as that of a fix. */
  readonly fixed: SetText | undefined
}

/**
 * The code editor. What is typed goes out and never comes back, so that no late rendering overwrites it: after its
 * start the editor takes texts from `fixed` alone.
 */
function RowQuery({ text, fixed, onText, table }: Props & { readonly table: string }): JSX.Element {
  const known = useRef(fixed)
  const [value, setValue] = useState<SetText>({ text })
  useEffect(() => {
    if (fixed === undefined || fixed === known.current) return
    known.current = fixed
    setValue(fixed)
  }, [fixed])
  return <QueryEditor value={value} table={table} dialect="native" onChange={onText} onRun={() => undefined} />
}

/** The text of a query: in the code editor if it reads rows, else in a text area. */
export function QueryField(props: Props): JSX.Element {
  const { id, text, describedBy, isFaulty, onText, query } = props
  const kind = valueAt(query, ['dataType'])
  const table = typeof kind === 'string' ? tables[kind.trim().toLowerCase()] : undefined
  if (table !== undefined) return <RowQuery {...props} table={table} />
  return (
    <textarea
      id={id}
      class="code"
      rows={Math.min(12, text.split('\n').length)}
      spellcheck={false}
      aria-describedby={describedBy}
      aria-invalid={isFaulty}
      value={text}
      onInput={(event) => onText(event.currentTarget.value)}
    />
  )
}
