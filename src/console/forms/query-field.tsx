import { useEffect, useRef, useState } from 'preact/hooks'
import type { JSX } from 'preact'
import type { PlainJson } from '../../data/index.ts'
import { QueryEditor, type SetText } from '../widgets/query-editor.tsx'
import { valueAt } from './model.ts'
import type { InputProps } from './input.ts'

/** Table for completion and checks, by the kind of data that a query names. */
const tables: Readonly<Record<string, string>> = {
  logs: 'logs',
  traces: 'spans',
  apm: 'spans',
  events: 'events',
  workloads: 'workloads',
  clusters: 'clusters',
}

interface Props extends InputProps {
  /** The query that contains the text. */
  readonly query: PlainJson | undefined
  /** Text that the page sets, for example when it applies a fix. */
  readonly fixed: SetText | undefined
}

/**
 * Code editor of a row query. After it is created, it takes a new text only from `fixed`, so that a late rendering
 * cannot overwrite what the user types.
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

/** Edits the text of a query: in the code editor if it reads rows, else in a text area. */
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
