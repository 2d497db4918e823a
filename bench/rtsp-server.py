"""A camera on RTSP, made by GStreamer: rtsp://127.0.0.1:PORT/h264 (4 s between keyframes on /h264-long, MJPEG on /mjpeg).

Debian: apt-get install gir1.2-gst-rtsp-server-1.0 python3-gi gstreamer1.0-plugins-good gstreamer1.0-plugins-ugly gstreamer1.0-libav
"""
import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtspServer  # noqa: E402

picture = "videotestsrc is-live=true pattern=ball ! video/x-raw,width=320,height=180,framerate=25/1"
h264 = "x264enc tune=zerolatency speed-preset=ultrafast bitrate=400 key-int-max={} ! rtph264pay name=pay0 pt=96 config-interval=1"
sound = "audiotestsrc is-live=true ! audioconvert ! audio/x-raw,rate=48000,channels=1 ! avenc_aac ! rtpmp4gpay name=pay1 pt=97"
cameras = {
    "/h264": f"( {picture} ! {h264.format(25)} {sound} )",
    "/h264-long": f"( {picture} ! {h264.format(100)} )",
    "/mjpeg": f"( {picture} ! videoconvert ! video/x-raw,format=I420 ! jpegenc ! rtpjpegpay name=pay0 pt=26 )",
}

Gst.init(None)
server = GstRtspServer.RTSPServer()
server.set_address("127.0.0.1")
server.set_service(sys.argv[1])
# One thread for all clients would make each wait for the others' pipelines to start.
threads = GstRtspServer.RTSPThreadPool()
threads.set_max_threads(-1)
server.set_thread_pool(threads)
for path, launch in cameras.items():
    factory = GstRtspServer.RTSPMediaFactory()
    factory.set_launch(launch)
    factory.set_shared(True)
    server.get_mount_points().add_factory(path, factory)
server.attach(None)
print("ready", flush=True)
GLib.MainLoop().run()
