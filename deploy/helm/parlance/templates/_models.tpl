{{- define "parlance.modelsClaim" -}}
{{- .Values.models.volume.existingClaim | default (printf "%s-models" (include "parlance.fullname" .)) -}}
{{- end }}

{{/* What the Job installs: a text that changes with the models, or nothing. */}}
{{- define "parlance.modelsToInstall" -}}
{{- $models := .Values.models }}
{{- if and $models.enabled $models.install }}{{ join " " (uniq $models.install | sortAlpha) }}{{ end -}}
{{- end }}

{{/* The file that the Job leaves when these models are there. */}}
{{- define "parlance.modelsMark" -}}
/srv/models/.installed-{{ include "parlance.modelsToInstall" . | sha256sum | trunc 12 }}
{{- end }}

{{/* A container that waits for the Job: the models of an engines file are read when a worker starts. MODELS_DIR is watched. */}}
{{- define "parlance.modelsWait" -}}
{{- $command := list "sh" "-ec" (printf "until [ -e %s ]; do echo 'Waiting for the models.'; sleep 5; done" (include "parlance.modelsMark" .)) }}
{{- $resources := dict "requests" (dict "cpu" "10m" "memory" "16Mi") "limits" (dict "memory" "64Mi") }}
{{- $mounts := "- { name: models, mountPath: /srv/models, readOnly: true }" }}
{{- include "parlance.task" (dict "root" . "name" "wait-for-models" "command" $command "mounts" $mounts "resources" $resources) }}
{{- end }}
