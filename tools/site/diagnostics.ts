import type { Source } from './source.ts'
export async function diagnosticPages(): Promise<{ pages: readonly Source[]; codes: ReadonlySet<string> }> {
  return { pages: [{ path: 'diagnostics/README.md', text: '# Diagnostics\n\nx\n' }], codes: new Set() }
}
