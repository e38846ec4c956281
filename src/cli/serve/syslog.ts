import { readFileSync } from 'node:fs'
import { CommandError } from '../../base/index.ts'
import { isZone } from '../../data/index.ts'
import type { SyslogOptions } from '../../server/index.ts'

const TRANSPORTS = ['udp', 'tcp', 'tls'] as const
const EXAMPLE = 'such as tcp://127.0.0.1:5514'

function fileOf(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new CommandError(
      `--syslog cannot read the file of \`${name}\`: ${error instanceof Error ? error.message : String(error)}`,
      1,
    )
  }
}

const PARAMETERS: Readonly<Record<string, (value: string) => Partial<SyslogOptions>>> = {
  backend: (backend) => ({ backend }),
  tz: (zone) => {
    if (!isZone(zone))
      throw new CommandError(`--syslog needs a zone such as Europe/Berlin or +02:00 for \`tz\`, not \`${zone}\`.`)
    return { zone }
  },
  cert: (path) => ({ cert: fileOf('cert', path) }),
  key: (path) => ({ key: fileOf('key', path) }),
  ca: (path) => ({ ca: fileOf('ca', path) }),
  'open-to': (whom) => {
    if (whom !== 'everyone') throw new CommandError(`--syslog takes \`open-to=everyone\` only, not \`${whom}\`.`)
    return { openTo: 'everyone' }
  },
}

/** `tcp://127.0.0.1:5514?backend=main`. */
function addressOf(text: string): SyslogOptions {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const transport = TRANSPORTS.find((each) => url?.protocol === `${each}:`)
  if (url === undefined || transport === undefined || url.hostname === '' || url.port === '')
    throw new CommandError(`--syslog needs an address of udp, tcp or tls with a port, ${EXAMPLE}, not \`${text}\`.`)
  const options = { transport, host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(url.port) }
  return [...url.searchParams].reduce<SyslogOptions>((all, [name, value]) => {
    if (!Object.hasOwn(PARAMETERS, name))
      throw new CommandError(`--syslog does not know \`${name}\`; it knows ${Object.keys(PARAMETERS).join(', ')}.`)
    return { ...all, ...PARAMETERS[name]?.(value) }
  }, options)
}

/** The addresses of `--syslog`, with commas between them. */
export function syslogAddresses(list: string): readonly SyslogOptions[] {
  return list
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map(addressOf)
}
