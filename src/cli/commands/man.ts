import type { CommandModule } from '../command.ts'
import { manualOf } from '../manual.ts'

export const define: CommandModule['define'] = (command, terminal, whole) => {
  command.action(async () => terminal.write(manualOf(await whole())))
}
