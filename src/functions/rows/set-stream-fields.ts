import { printStreamName, streamIdOf, toText } from '../../data/index.ts'
import type { CompileRow, RowFunction } from '../definition.ts'
import { fieldsAt, patternsOf, type PatternLists } from './shared.ts'

export const setStreamFields: RowFunction = {
  name: 'set_stream_fields',
  fieldParams: ['fieldPatterns'],
  doc: {
    summary: 'Makes the stream’s name of these fields.',
    parameters: [{ name: 'fields', text: 'fields that name the stream' }],
    examples: [{ query: '* | set_stream_fields workload, pod | fields _stream | limit 3' }],
  },
}

export const compileSetStreamFields: CompileRow<{ readonly fieldPatterns: PatternLists }> = ({ fieldPatterns }) => {
  const patterns = patternsOf(fieldPatterns)
  return (row) => {
    const labels = fieldsAt(row, patterns).map(([name, value]) => [name, toText(value)] as const)
    const name = printStreamName(labels)
    // An existing id belongs to the old stream name, which is replaced here.
    if ((row.get('_stream_id') ?? null) !== null) row.set('_stream_id', streamIdOf(name))
    return row.set('_stream', name)
  }
}
