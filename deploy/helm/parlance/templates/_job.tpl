{{/* The variables of a pod that runs the command line of operators, as the user `cli` of NATS. */}}
{{- define "parlance.operatorEnvironment" -}}
{{- $nats := dict "root" . "name" "cli" }}
{{- range $name, $value := include "parlance.natsVariables" $nats | fromYaml }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- include "parlance.natsSecrets" $nats }}
{{- end }}

{{/*
The specification of a pod that runs once, with what `jobs` adds: (dict "root" $ "restartPolicy" "Never" "task" dict "volumes" text).
`task` is that of "parlance.task"; "jobs" stands in place of the values.
*/}}
{{- define "parlance.jobSpec" -}}
{{- $jobs := .jobs | default .root.Values.jobs }}
{{- include "parlance.withOverrides" (dict "spec" (include "parlance.jobPod" .) "overrides" $jobs.podOverrides) }}
{{- end }}

{{- define "parlance.jobPod" -}}
{{- $jobs := .jobs | default .root.Values.jobs }}
{{- include "parlance.podBase" .root }}
{{- with $jobs.serviceAccount.name }}
serviceAccountName: {{ . }}
{{- end }}
restartPolicy: {{ .restartPolicy }}
securityContext:
  {{- include "parlance.podSecurityContext" $jobs.podSecurityContext | nindent 2 }}
{{- include "parlance.placement" $jobs }}
{{- with $jobs.initContainers }}
initContainers:
  {{- toYaml . | nindent 2 }}
{{- end }}
containers:
  - {{- include "parlance.task" (merge (dict "root" .root "service" $jobs) .task) | nindent 4 }}
volumes:
  - name: tmp
    emptyDir: {}
  {{- with .volumes }}
  {{- . | trim | nindent 2 }}
  {{- end }}
  {{- with $jobs.extraVolumes }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{/* The template of a Job's pods: `name` is that of the component, the rest is that of "parlance.jobSpec". */}}
{{- define "parlance.jobTemplate" -}}
{{- $jobs := .jobs | default .root.Values.jobs -}}
metadata:
  labels:
    {{- include "parlance.labels" . | nindent 4 }}
    {{- with $jobs.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- with $jobs.podAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  {{- include "parlance.jobSpec" . | nindent 2 }}
{{- end }}
