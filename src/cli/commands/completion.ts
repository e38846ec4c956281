import type { CommandModule } from '../command.ts'
import { scripts, shells, type Shell } from '../shell-completion.ts'
import { Argument } from 'commander'

export const define: CommandModule['define'] = (command, terminal, whole) => {
  command
    .addArgument(new Argument('<shell>', 'whose script is printed').choices(shells))
    .addHelpText(
      'after',
      `
  bash: source <(sluice completion bash)
  zsh:  sluice completion zsh > "\${fpath[1]}/_sluice"
  fish: sluice completion fish > ~/.config/fish/completions/sluice.fish
`,
    )
    .action(async (shell: Shell) => terminal.write(scripts[shell](await whole())))
}
