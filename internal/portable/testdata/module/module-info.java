module demo {
    exports demo;
}
