import type { TextRange } from '@parlance/client/speech'
import { useEffect, useRef } from 'react'
import classes from './text-paper.module.css'

interface TextPaperProps {
  readonly text: string
  readonly word: TextRange
  readonly isReadOnly: boolean
  readonly isTooLong: boolean
  onChange(text: string): void
}

/** Scrolls as little as once for many lines. */
const keepInView = (word: HTMLElement, paper: HTMLElement): void => {
  const { offsetTop: top, offsetHeight: height } = word
  if (top >= paper.scrollTop && top + 2 * height <= paper.scrollTop + paper.clientHeight) return
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
  paper.scrollTo({ top: top - height, behavior: isStill ? 'auto' : 'smooth' })
}

/** A field for the text to speak. The text is drawn below the field, which is transparent, so that a word can be highlighted. */
export const TextPaper = ({ text, word, isReadOnly, isTooLong, onChange }: TextPaperProps) => {
  const paper = useRef<HTMLDivElement>(null)
  const mark = useRef<HTMLElement>(null)
  const { from, to } = word
  useEffect(() => {
    if (to > from && mark.current !== null && paper.current !== null) keepInView(mark.current, paper.current)
  }, [from, to])
  return (
    <div ref={paper} className={classes.paper}>
      <div className={classes.page}>
        <div aria-hidden dir="auto" className={classes.mirror}>
          <span data-part="spoken">{text.slice(0, from)}</span>
          <mark ref={mark}>{text.slice(from, to)}</mark>
          <span data-part="ahead">{text.slice(to)}</span>
          <br />
        </div>
        <textarea
          id="text"
          aria-label="Text to speak"
          aria-describedby="count"
          aria-invalid={isTooLong}
          placeholder="Type or paste a text."
          spellCheck={false}
          dir="auto"
          readOnly={isReadOnly}
          value={text}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      </div>
    </div>
  )
}
