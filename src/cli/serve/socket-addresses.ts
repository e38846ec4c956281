import { readFileSync } from 'node:fs'
import { CommandError } from '../../base/index.ts'
import { isZone } from '../../data/index.ts'
import type { ForwardOptions, SyslogOptions } from '../../server/index.ts'

/** Example address of each option, for error messages. */
const EXAMPLES = { syslog: 'tcp://127.0.0.1:5514', forward: 'tcp://127.0.0.1:24224' } as const
type Flag = keyof typeof EXAMPLES
type Transport = 'udp' | 'tcp' | 'tls'

function fileOf(flag: Flag, name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new CommandError(
      `--${flag} cannot read the file of \`${name}\`: ${error instanceof Error ? error.message : String(error)}`,
      1,
    )
  }
}

/** Parameters that an address of either protocol may have. */
type Said = Omit<Partial<ForwardOptions>, 'transport'>

const shared: Readonly<Record<string, (value: string, flag: Flag) => Said>> = {
  backend: (backend) => ({ backend }),
  tz: (zone, flag) => {
    if (!isZone(zone))
      throw new CommandError(`--${flag} needs a zone such as Europe/Berlin or +02:00 for \`tz\`, not \`${zone}\`.`)
    return { zone }
  },
  cert: (path, flag) => ({ cert: fileOf(flag, 'cert', path) }),
  key: (path, flag) => ({ key: fileOf(flag, 'key', path) }),
  ca: (path, flag) => ({ ca: fileOf(flag, 'ca', path) }),
  'open-to': (whom, flag) => {
    if (whom !== 'everyone') throw new CommandError(`--${flag} takes \`open-to=everyone\` only, not \`${whom}\`.`)
    return { openTo: 'everyone' }
  },
}

const PARAMETERS: Readonly<Record<Flag, typeof shared>> = {
  syslog: shared,
  forward: {
    ...shared,
    'shared-key': (path, flag) => {
      const sharedKey = fileOf(flag, 'shared-key', path).trim()
      if (sharedKey === '') throw new CommandError(`--${flag} finds no shared key in ${path}.`, 1)
      return { sharedKey }
    },
  },
}

/** Parses `tcp://127.0.0.1:5514?backend=main`. */
function addressOf<T extends Transport>(
  flag: Flag,
  transports: readonly T[],
  text: string,
): Said & { readonly transport: T; readonly host: string; readonly port: number } {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const transport = transports.find((each) => url?.protocol === `${each}:`)
  if (url === undefined || transport === undefined || url.hostname === '' || url.port === '') {
    const kinds = `${transports.slice(0, -1).join(', ')} or ${transports.at(-1)}`
    throw new CommandError(
      `--${flag} needs an address of ${kinds} with a port, such as ${EXAMPLES[flag]}, not \`${text}\`.`,
    )
  }
  const known = PARAMETERS[flag]
  const said: Said = {}
  for (const [name, value] of url.searchParams) {
    if (!Object.hasOwn(known, name))
      throw new CommandError(`--${flag} does not know \`${name}\`; it knows ${Object.keys(known).join(', ')}.`)
    Object.assign(said, known[name]?.(value, flag))
  }
  return { ...said, transport, host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(url.port) }
}

function texts(list: string): readonly string[] {
  return list
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '')
}

/** Parses the addresses of `--syslog`, separated by commas. */
export function syslogAddresses(list: string): readonly SyslogOptions[] {
  return texts(list).map((text) => addressOf('syslog', ['udp', 'tcp', 'tls'], text))
}

/** Parses the addresses of `--forward`; the default protocol is TCP. */
export function forwardAddresses(list: string): readonly ForwardOptions[] {
  return texts(list).map((text) =>
    addressOf('forward', ['tcp', 'tls'], /^[a-z]+:\/\//.test(text) ? text : `tcp://${text}`),
  )
}
