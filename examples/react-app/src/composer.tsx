interface ComposerProps {
  readonly disabled: boolean
  readonly onSend: (text: string) => void
}

export const Composer = ({ disabled, onSend }: ComposerProps) => (
  <form
    action={(form) => {
      const text = String(form.get('text')).trim()
      if (text !== '') onSend(text)
    }}
  >
    <input
      name="text"
      aria-label="What you want to say"
      placeholder="Or type here"
      autoComplete="off"
      maxLength={4000}
      disabled={disabled}
    />
    <button type="submit" disabled={disabled}>
      Send
    </button>
  </form>
)
