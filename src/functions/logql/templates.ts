import type { LogEntry } from './entry.ts'

export type EntryTemplate = (entry: LogEntry) => { readonly text: string } | { readonly error: string }

/** Compiles a template of `line_format` or `label_format`; `name` is its name in errors. */
export function compileEntryTemplate(text: string, name: 'line' | 'label'): EntryTemplate {
  // Replaced when the interpreter stands below this folder.
  return (entry) => ({
    text:
      text.replaceAll(/\{\{\s*\.(\w+)\s*\}\}/g, (_, label: string) => entry.get(label) ?? '') +
      (name === 'line' ? '' : ''),
  })
}
