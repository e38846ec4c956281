/** Properties that all inputs of form fields share, besides the text. */
export interface InputProps {
  readonly id: string
  readonly text: string
  readonly label: string
  readonly isReadOnly: boolean
  readonly describedBy: string | undefined
  readonly isFaulty: boolean
  readonly onText: (text: string) => void
}
