import { Button, Group, NumberInput, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { CalendarCheck, CalendarPlus, CalendarSearch } from 'lucide-react'
import { useState } from 'react'
import { ConfirmDialog } from '../../shared/confirm-dialog.js'
import { Section } from '../../shared/section.js'
import { FieldGrid } from './field-grid.js'
import { TrialResult, useTryTool } from './try-tool.js'

const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone
const daysShown = 7
const beginning = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'short' })
const maxMinutes = 14 * 24 * 60

/** The day where the person is, so many days from today, such as `2026-03-29`. */
const localDay = (daysFromToday: number): string => {
  const day = new Date()
  day.setDate(day.getDate() + daysFromToday)
  // In Swedish a date has the form that an input takes.
  return day.toLocaleDateString('sv')
}

const EventList = () => {
  const [from, setFrom] = useState(() => localDay(0))
  const [to, setTo] = useState(() => localDay(daysShown))
  const trial = useTryTool()
  return (
    <Section title="See what is on" order={3}>
      <FieldGrid>
        <TextInput type="date" label="From" value={from} onChange={(event) => setFrom(event.currentTarget.value)} />
        <TextInput type="date" label="To" value={to} onChange={(event) => setTo(event.currentTarget.value)} />
      </FieldGrid>
      <Group>
        <Button
          variant="default"
          leftSection={<CalendarSearch />}
          disabled={from === '' || to === ''}
          loading={trial.isPending}
          onClick={() => trial.mutate({ tool: { type: 'calendar_list' }, arguments: { from, to }, time_zone })}
        >
          List the events
        </Button>
      </Group>
      <TrialResult trial={trial} />
    </Section>
  )
}

const Booking = () => {
  const [title, setTitle] = useState('Trial appointment')
  const [startsAt, setStartsAt] = useState(() => `${localDay(1)}T10:00`)
  const [minutes, setMinutes] = useState<number | string>(30)
  const [isConfirming, confirming] = useDisclosure(false)
  const trial = useTryTool()
  const isComplete = title.trim() !== '' && startsAt !== '' && typeof minutes === 'number'
  const book = (confirmed: boolean) =>
    trial.mutate(
      {
        tool: { type: 'calendar_create', confirmed },
        arguments: { title, starts_at: startsAt, duration_minutes: minutes },
        time_zone,
      },
      { onSuccess: confirming.close },
    )
  const ask = () => {
    trial.reset()
    confirming.open()
  }
  return (
    <Section title="Book an appointment" order={3}>
      <FieldGrid>
        <TextInput
          label="Title"
          value={title}
          maxLength={200}
          dir="auto"
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
        <TextInput
          type="datetime-local"
          label="Begins"
          value={startsAt}
          onChange={(event) => setStartsAt(event.currentTarget.value)}
        />
        <NumberInput label="Minutes" value={minutes} min={1} max={maxMinutes} onChange={setMinutes} />
      </FieldGrid>
      <Group>
        <Button
          variant="default"
          leftSection={<CalendarCheck />}
          disabled={!isComplete}
          loading={trial.isPending && !isConfirming}
          onClick={() => book(false)}
        >
          Check the time
        </Button>
        <Button variant="default" leftSection={<CalendarPlus />} disabled={!isComplete} onClick={ask}>
          Book it…
        </Button>
      </Group>
      {!isConfirming && <TrialResult trial={trial} />}
      {isConfirming && (
        <ConfirmDialog
          title="Book a real appointment?"
          label="Book it"
          mutation={trial}
          onClose={confirming.close}
          onConfirm={() => book(true)}
        >
          “{title}” is put into your calendar on {beginning.format(new Date(startsAt))}, for {minutes} minutes. It stays
          there, and in the feed of the calendar, until it is cancelled, for example by an Agent on the page Talk.
        </ConfirmDialog>
      )}
    </Section>
  )
}

/** Calls the calendar's tools for the person who edits the Agent. An appointment is booked only after a confirmation. */
export const CalendarTrial = () => (
  <Stack gap="md" component="section" aria-label="Try the calendar">
    <Text c="dimmed">
      This is your own calendar in this workspace, which Agents use when you talk with them on the page Talk. Times are
      in {time_zone}. Checking a time changes nothing.
    </Text>
    <EventList />
    <Booking />
  </Stack>
)
