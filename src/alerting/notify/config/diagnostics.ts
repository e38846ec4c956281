import { SluiceError, defineDiagnostics, lineColumnAt, nowhere, spanOf, type Diagnostic } from '../../../base/index.ts'

export const configDiagnostic = defineDiagnostics('notify-config', {
  invalid: (d: { line: number; column: number; message: string; notes: readonly string[] }) => ({
    message: `line ${d.line}, column ${d.column}: ${d.message}`,
    why: d.notes,
  }),
  'bad-address': (d: { entry: string }) => ({
    message: `\`${d.entry}\` in \`allow_addresses\` is no host name, address or CIDR range.`,
    why: 'Write `hook.internal`, `10.1.2.3`, `10.0.0.0/8` or `fd00::/8`.',
  }),
})

function messageOf({ code, message, data }: Diagnostic): string {
  if (code === 'yaml/not-yaml') return `This is not YAML: ${String(data['kind'])}.`
  if (code !== 'yaml/unknown-member') return message
  const { near, owner } = data
  return `This is not a member of ${String(owner)}.${typeof near === 'string' ? ` Did you mean \`${near}\`?` : ''}`
}

/**
 * Returns the errors of a configuration with line and column in the message, but without excerpts and unknown names:
 * any line may contain a secret, even in place of a name.
 */
export function withoutExcerpts({ diagnostics }: SluiceError, text: string): SluiceError {
  return new SluiceError(
    diagnostics.map((each) => {
      const position = lineColumnAt(text, spanOf(each.origin)?.start ?? 0)
      return configDiagnostic('invalid', { ...position, message: messageOf(each), notes: each.notes }, nowhere)
    }),
  )
}
