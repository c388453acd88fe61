import { keepPreviousData } from '@tanstack/react-query'
import { api } from '../api/api.js'
import type { components } from '../api/schema.js'

export type UsageReport = components['schemas']['UsageReport']
export type UsageGrouping = UsageReport['group_by']
export type UsageGroup = UsageReport['usage'][number]
export type Credit = components['schemas']['Credit']

export const useCredit = () => api.useQuery('get', '/dashboard/api/v1/credit')

/** From the beginning of a day in UTC until now. Another range replaces this one when it is loaded. */
export const useUsage = (from: string, group_by: UsageGrouping) =>
  api.useQuery(
    'get',
    '/dashboard/api/v1/usage',
    { params: { query: { from, group_by } } },
    { placeholderData: keepPreviousData },
  )

/** The credit used on each of the days, for a chart. */
export const creditByDay = (usage: readonly UsageGroup[], days: readonly string[]): readonly number[] => {
  const used = new Map(usage.map(({ key, credit_used }) => [key, Number(credit_used)]))
  return days.map((day) => used.get(day) ?? 0)
}
